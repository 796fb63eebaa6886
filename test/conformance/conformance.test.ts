/**
 * The same traffic through n8n as it came and through n8n patched. VERSION and SETUP take lists, separated by commas:
 * VERSION=1.123.81 SETUP=postgresql,queue make conformance
 */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { areas } from './areas.ts'
import { describeDifferences } from './compare.ts'
import { patchesOf } from './patches.ts'
import { compareSides, type Comparison } from './run.ts'
import type { Setup } from './stores.ts'

const versions = (process.env.VERSION || '2.41.1').split(',')
const chosen = (process.env.SETUP || 'sqlite').split(',') as Setup[]

describe.each(versions.flatMap((version) => chosen.map((setup) => ({ version, setup }))))('n8n $version, $setup', ({ version, setup }) => {
  let comparison: Comparison

  beforeAll(async () => {
    comparison = await compareSides({ version, setup, areas, env: await patchesOf(version) })
  }, 900_000)

  describe.each(areas)('$name', ({ cases }) => {
    test.each(cases)('$name', ({ name }) => {
      const { failures, differences } = comparison.cases[name] ?? { failures: [], differences: [] }
      expect(failures.join('\n')).toBe('')
      expect(describeDifferences(differences)).toBe('')
    })
  })

  test.each(['tables', 'metrics', 'events', 'files', 'calls'])('%s are the same', (part) => {
    expect(describeDifferences(comparison.parts[part]!)).toBe('')
  })
})
