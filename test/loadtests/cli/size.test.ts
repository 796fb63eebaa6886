import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { ofOwnValues } from '../../../loadtests/src/cli/size.ts'
import { mergeValues } from '../../../loadtests/src/lib/values.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { command } from '../../support/command.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'
import { quickRun } from '../fixtures/runs.ts'

/** `size` without a load: an estimate from a rate, and the answer from runs. */

const folder = temporaryFolder()

async function saved(name: string, records: RunRecord[]): Promise<string> {
  await write(folder, `${name}/run.ndjson`, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return join(folder, name)
}

test('a rate alone gives an estimate for each kind of workflow, and the command that measures', async () => {
  const { exit, out } = await command('size', '--rate', '30', '--cpu-speed', '1')
  expect(exit).toBe(0)
  expect(out).toContain('An estimate of what 30/s needs.')
  expect(out).toMatch(/no outside call +7 ms +regular/)
  expect(out).toMatch(/one HTTP call +50 ms +queue +[2-4]/)
  expect(out).toContain('Nothing is known of yours, which may take ten times as much.')
  expect(out).not.toContain('nough')
  expect(out).toMatch(/agent that waits 8 s .* queue +\d/)
  expect(out).toContain('./n8n-tuned size --workflow exported.json --rate 30 --slo p95=1s')
})

test.each(['1', '1e5'])(
  'it ends for %s/s, with an answer',
  async (rate) => {
    const { exit, out } = await command('size', '--rate', rate, '--cpu-speed', '1')
    expect({ exit, told: out.startsWith('An estimate') }).toEqual({ exit: 0, told: true })
  },
  5000,
)

test.each(['1e-300', '1e-9', '1e9'])(
  'it ends for %s/s, with a refusal',
  async (rate) => {
    const { exit, err } = await command('size', '--rate', rate, '--cpu-speed', '1')
    expect(exit).toBe(2)
    expect(err).toContain('Expected a rate between 0.001 and 100,000 requests a second')
  },
  5000,
)

test('where no fleet meets what was asked, it ends as missed, and writes no values', async () => {
  const run = await saved('missed', fleetRun())
  const file = join(folder, 'none.yaml')
  const { exit, err } = await command('size', run, '--rate', '60', '--slo', 'p95=1ms', '--write', file)
  expect(exit).toBe(3)
  expect(err).toContain('no fleet meets the objective')
  expect(existsSync(file)).toBe(false)
})

test('on a faster core the same kind needs fewer workers', async () => {
  const workers = async (speed: string) => {
    const { out } = await command('size', '--rate', '200', '--cpu-speed', speed)
    return Number(/one HTTP call +\d+ ms +queue +(\d+)/.exec(out)![1])
  }
  expect(await workers('2')).toBeLessThan(await workers('1'))
})

test('a run in queue mode gives the fleet, what ends it, what one more brings and what one lost takes', async () => {
  const file = join(folder, 'values.yaml')
  const run = await saved('queue', fleetRun())
  const { exit, out } = await command('size', run, '--rate', '60', '--slo', 'p95=500ms', '--write', file)
  expect(exit).toBe(0)
  expect(out).toMatch(/^60\/s of "ping-webhook" with p95 ≤ 500 ms \(2\.41\.1, tuned, queue mode\)\n/)
  expect(out).toMatch(
    /\d workers × 0\.8 CPU, 1 GiB, concurrency \d+ +sustain [\d.]+\/s \([\d.]+ to [\d.]+\) +full first: workers/,
  )
  expect(out).toMatch(/next worker: [\d.]+\/s/)
  expect(out).toMatch(/PostgreSQL [\d.]+ cores, 840 transactions\/s, \d+ connections/)
  expect(out).toMatch(/one worker lost: [\d.]+\/s/)
  expect(out).toMatch(/Check it: .* check --target kubernetes --values \S+ --workflow ping-webhook --rate 60 --slo/)
  expect(parse(readFileSync(file, 'utf8')).worker.replicas).toBe(Number(/(\d+) workers ×/.exec(out)![1]))
})

test('plan is its earlier name', async () => {
  const run = await saved('same', fleetRun())
  const [size, plan] = await Promise.all(['size', 'plan'].map((verb) => command(verb, run, '--rate', '60')))
  expect(plan!.out).toBe(size!.out)
})

test('an n8n in regular mode that is enough needs no queue', async () => {
  const run = await saved('enough', fleetRun())
  const { out } = await command('size', run, '--rate', '3', '--slo', 'p95=2s')
  expect(out).toMatch(/regular mode\)\n {2}1 n8n × 1 CPU, 1 GiB +sustains [\d.]+\/s/)
})

test('an n8n that its own values have in queue mode stays there, and is told when regular mode would do', async () => {
  const own = fleetRun().map((record) =>
    record.type === 'run'
      ? { ...record, experiment: { ...record.experiment, base: { executions: { mode: 'queue' } } } }
      : record,
  )
  const { out } = await command('size', await saved('own', own), '--rate', '3', '--slo', 'p95=2s')
  expect(out).toMatch(/queue mode\)\n {2}\d workers? × 0\.8 CPU/)
  expect(out).toContain('One n8n in regular mode would do, too')
})

test('stores of one’s own values are not mixed with those of the profile', async () => {
  const values = join(folder, 'own.yaml')
  const database = { type: 'external', host: 'db.example.com' }
  const redis = { type: 'external', host: 'redis.example.com' }
  await write(folder, 'own.yaml', JSON.stringify({ executions: { mode: 'queue' }, database, redis }))
  const { exit, err } = await command('size', '--workflow', 'ping-webhook', '--rate', '3', '--values', values)
  expect(exit).toBe(2)
  expect(err).toMatch(/^--values: These values are refused\.\ndatabase\.password: Expected/)
  expect(err).not.toContain('embedded')
})

test.each([
  ['--values', { values: { executions: { mode: 'queue' } }, set: {} }],
  ['--set', { values: {}, set: { executions: { mode: 'queue' } } }],
])('queue mode by %s leaves that n8n alone', (_, given) => {
  const variants = [
    { name: 'queue', values: { executions: { mode: 'queue' } } },
    { name: 'regular', values: { executions: { mode: 'regular' } } },
  ]
  const profile = { experiment: { variants } }
  // As prepare() hands them on: what --set says is in each of them.
  const experiment = {
    variants: variants.map(({ name, values }) => ({ name, values: mergeValues(values, given.set) })),
  }
  const own = ofOwnValues({ given, profile, experiment } as unknown as Prepared)
  expect(own.experiment.variants).toEqual([{ name: 'queue', values: { executions: { mode: 'queue' } } }])
})

test('a run in regular mode of several n8n asks which', async () => {
  const { exit, err } = await command('size', await saved('regular', quickRun()), '--rate', '500')
  expect(exit).toBe(2)
  expect(err).toContain('Expected one n8n under one workflow to plan for')
})

test('neither a rate nor a run is refused', async () => {
  const { exit, err } = await command('size')
  expect(exit).toBe(2)
  expect(err).toContain('Give the requests a second with --rate 30')
})
