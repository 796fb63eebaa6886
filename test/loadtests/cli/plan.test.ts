import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { command, root } from '../../support/command.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'

const folder = temporaryFolder()

/** The folder of a run with these records. */
async function saved(name: string, records: RunRecord[]): Promise<string> {
  await write(folder, `${name}/run.ndjson`, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return join(folder, name)
}

const numberIn = (text: string, what: RegExp) => Number(what.exec(text)![1]!.replaceAll(',', ''))

test('says what a rate needs: workers, processors, the stores, and what breaks next', async () => {
  const { exit, out } = await command('plan', await saved('workers', fleetRun()), '--rate', '500', '--slo', 'p95=1s')
  expect(exit).toBe(0)
  expect(out).toContain('500/s of "ping-webhook" with p95 ≤ 1 s (2.41.1, tuned, queue mode)')
  // 500/s of 30 ms each are 15 cores, and a worker has 0.8 less its idle use.
  expect(numberIn(out, /Workers +(\d+)/)).toBeGreaterThanOrEqual(20)
  expect(numberIn(out, /Workers +(\d+)/)).toBeLessThanOrEqual(23)
  expect(numberIn(out, /Webhook processors +(\d+)/)).toBe(6)
  expect(out).toMatch(/Redis +0.3\d? cores/)
  expect(out).toMatch(/commands: 12,\d+\/s, 25 an execution/)
  expect(out).toMatch(/transactions: (6,99|7,00)\d\/s, 14 an execution/)
  expect(out).toMatch(/Journal of PostgreSQL +4 MiB a second/)
  expect(out).toMatch(/at [\d,.]+\/s: Redis full/)
  expect(out).toMatch(/13.9 times the rate and [\d.]+ times the workers that were measured/)
  // By the command of the run, which knows its files.
  expect(out.match(/^ {2}[123]\. .*check --profile workers/gm)!.length).toBeGreaterThanOrEqual(2)
})

test('what no run has recorded is not measured, and never assumed', async () => {
  const bare = fleetRun().filter(({ type }) => type !== 'queue' && type !== 'database')
  const { out } = await command('plan', await saved('bare', bare), '--rate', '100')
  expect(out).toMatch(/Journal of PostgreSQL +not measured/)
  expect(out).toMatch(/commands: not measured/)
  expect(out).toMatch(/Disk a day, before n8n prunes +not measured/)
})

test('two runs of one and of two workers say the same as one run of both', async () => {
  const one = await saved('one', fleetRun({ workers: [1] }))
  const two = await saved('two', fleetRun({ workers: [2] }))
  const both = await saved('both', fleetRun())
  const [apart, together] = await Promise.all([
    command('plan', one, two, '--rate', '200'),
    command('plan', both, '--rate', '200'),
  ])
  expect(apart.out).toBe(together.out)
})

test('--at gives a table, with the price of each fleet', async () => {
  const run = await saved('table', fleetRun())
  const { out } = await command('plan', run, '--at', '100,200,500,1000', '--price', 'cpu=23,memory=3')
  const lines = out.split('\n').filter((line) => /^(100|200|500|1,000)\/s  /.test(line))
  expect(lines).toHaveLength(4)
  expect(lines.every((line) => /a month/.test(line))).toBe(true)
})

const opencost = (data: object[]) =>
  createServer((_, response) => response.end(JSON.stringify({ code: 200, data }))).listen(0, '127.0.0.1')

test('--opencost gives the prices that the cluster has', async () => {
  // 0.03 of a core and 0.004 of a GiB, an hour.
  const costs = { cpuCoreHours: 100, cpuCost: 3, ramByteHours: 50 * 2 ** 30, ramCost: 0.2 }
  const server = opencost([{ 'cluster-one': { name: 'cluster-one', ...costs } }, { __idle__: costs }, {}])
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const run = await saved('opencost', fleetRun())
  const [read, given] = await Promise.all([
    command('plan', run, '--rate', '100', '--opencost', url, '--yes'),
    command('plan', run, '--rate', '100', '--price', 'cpu=21.9,memory=2.92'),
  ])
  server.close()
  expect(read.out).toMatch(/Cost +[\d.]+ a month/)
  expect(read.out).toBe(given.out)
})

test('an OpenCost that knows no costs is refused, with what to do', async () => {
  const server = opencost([{}])
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { exit, err } = await command(
    'plan',
    await saved('free', fleetRun()),
    '--rate',
    '100',
    '--opencost',
    url,
    '--yes',
  )
  server.close()
  expect(exit).toBe(2)
  expect(err).toContain('/allocation?window=7d&aggregate=cluster to answer with the costs of a cluster, got nothing')
  expect(err).toContain('--price cpu=23,memory=3')
})

test('--write writes values that the chart renders', async () => {
  const file = join(folder, 'fleet.yaml')
  await command('plan', await saved('written', fleetRun()), '--rate', '300', '--write', file)
  const values = parse(readFileSync(file, 'utf8'))
  expect(values.worker.autoscaling.max).toBeGreaterThan(values.worker.replicas)
  expect(values.worker).toMatchObject({ concurrency: 10, resources: { limits: { cpu: '800m', memory: '1024Mi' } } })
  expect(values.capacity.rate).toBeGreaterThan(300)
  const rendered = execFileSync(join(root, 'tools/bin/helm'), ['template', 'charts/n8n-tuned', '-f', file], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(rendered).toContain('kind: HorizontalPodAutoscaler')
})

test('a single step makes no sure plan: it says so, also in the values, and what would tell', async () => {
  const file = join(folder, 'edge.yaml')
  const run = await saved('edge', fleetRun({ rates: [24], workers: [1] }))
  const { out } = await command('plan', run, '--rate', '100', '--slo', 'p95=5s', '--write', file)
  expect(out).toContain('How exact it is, is not known: too few steps tell what an execution takes.')
  expect(out).toMatch(/--rate 12, and give size both runs/)
  expect(readFileSync(file, 'utf8')).toContain('too few steps tell what an execution takes. It may be too small.')
})

test('a run that tells nothing of a workflow is refused, with the command that would measure it', async () => {
  const steps = fleetRun().filter(({ type }) => type !== 'step')
  const { exit, err } = await command('plan', await saved('stepless', steps), '--rate', '500')
  expect(exit).toBe(2)
  expect(err).toContain('to hold steps that n8n kept up with')
  expect(err).toContain('Fix: Measure it: ./n8n-tuned size --workflow exported.json --rate 30')
})

test('a plan without a rate is refused', async () => {
  const { exit, err } = await command('plan', await saved('rateless', fleetRun()))
  expect(exit).toBe(2)
  expect(err).toContain('Fix: Give the requests a second with --rate')
})

test('an objective that one execution alone misses has no fleet, and no values', async () => {
  const file = join(folder, 'none.yaml')
  const run = await saved('slow', fleetRun())
  const { exit, out, err } = await command('plan', run, '--rate', '20', '--slo', 'p95=20ms', '--write', file)
  expect(exit).toBe(3)
  expect(out).toContain('an execution that is alone takes longer')
  expect(err).toContain('Allow more with --slo')
})
