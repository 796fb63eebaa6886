/**
 * The same traffic through n8n as it came and through n8n patched. VERSION and SETUP take lists, separated by commas:
 * VERSION=1.123.81 SETUP=postgresql,queue make conformance
 */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryFolder } from '../support/temporary.ts'
import { areas, parts } from './areas.ts'
import { describeDifferences } from './compare.ts'
import { compareSides, wholes, type Comparison } from './run.ts'
import type { Setup } from './stores.ts'
import { tiersOf, type Tiers } from './tiers.ts'

const folder = temporaryFolder()
const versions = (process.env.VERSION || '2.41.1').split(',')
const chosen = (process.env.SETUP || 'sqlite').split(',') as Setup[]

describe.each(versions.flatMap((version) => chosen.map((setup) => ({ version, setup }))))(
  'n8n $version, $setup',
  ({ version, setup }) => {
    let comparison: Comparison
    let tiers: Tiers

    beforeAll(async () => {
      tiers = await tiersOf(version, setup, join(folder, version, setup))
      comparison = await compareSides({ version, setup, parts, env: tiers })
    }, 900_000)

    test('every patched process has applied what the chart gave it, and skipped nothing', () => {
      expect(tiers.patches).not.toEqual([])
      const line = `n8n-tuned: patches applied: ${tiers.patches.join(', ')}. Skipped: none.`
      expect(comparison.said).toEqual(Array.from({ length: setup === 'queue' ? 3 : 1 }, () => line))
    })

    describe.each(areas)('$name', ({ cases }) => {
      test.each(cases)('$name', ({ name }) => {
        const { failures, differences } = comparison.cases[name] ?? { failures: [], differences: [] }
        expect(failures.join('\n')).toBe('')
        expect(describeDifferences(differences)).toBe('')
      })
    })

    describe.each(['the traffic', 'kills and pruning'].map((after, part) => ({ after, part })))(
      'after $after',
      ({ part }) => {
        test.each(wholes)('%s are the same', (whole) => {
          expect(describeDifferences(comparison.seen[part]![whole])).toBe('')
        })
      },
    )
  },
)
