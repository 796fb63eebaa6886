import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { inProcess } from '../../support/in-process.ts'
import { workflows } from '../../support/hostile/inputs.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

/** What is small, and once took for ever or was taken for a defect. Each is refused in one message. */

const folder = temporaryFolder()

async function refused(...words: string[]): Promise<string> {
  const { exit, err } = await inProcess(...words)
  expect({ words, exit, err }).toEqual({ words, exit: exitCodes.usage, err: expect.not.stringMatching(/defect/) })
  return err
}

test.each(['1e-300', '1e300'])('a rate that no n8n has, of runs too: %s', async (rate) => {
  for (const words of [['plan', folder], ['size', folder], ['size']])
    expect(await refused(...words, '--rate', rate)).toMatch(/between 0\.001 and 100,000/)
  expect(await refused('plan', folder, '--at', `30,${rate}`)).toMatch(/between 0\.001 and 100,000/)
})

describe('YAML whose anchor contains itself', () => {
  test.each([
    ['convert', '--from', 'official'],
    ['convert', '--from', 'compose'],
    ['ecosystem', '--values'],
    ['check', '--remote-write', 'http://127.0.0.1:9/', '--values'],
    ['tune', '--remote-write', 'http://127.0.0.1:9/', '--values'],
    ['check', '--profile'],
    ['check', '--outside'],
  ])('%s %s %s', async (...words) => {
    const file = await write(folder, 'self.yaml', 'name: a\nmain: &a\n  resources: *a\n')
    expect(await refused(...words, file)).toMatch(/self\.yaml:3: .*an alias of itself/)
  })

  test('in --set', async () => {
    expect(await refused('ecosystem', '--set', 'main=&a [*a]')).toMatch(/--set.* YAML/)
  })
})

test('a HelmRelease whose valuesFrom is a text', async () => {
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'n8n' },
    spec: { chart: { spec: { chart: 'n8n' } }, valuesFrom: 'x', values: { image: { tag: '2.41.1' } } },
  }
  const file = await write(folder, 'release.yaml', JSON.stringify(release))
  expect(await refused('convert', '--from', 'official', file)).toMatch(/spec\.valuesFrom to be a list/)
})

test('a folder in the place of /proc', async () => {
  await write(folder, 'exports/a.json', JSON.stringify(workflows))
  expect(await refused('init', join(folder, 'exports'), '--out', '/proc/no-such')).toMatch(/--out.*\/proc\/no-such/)
})
