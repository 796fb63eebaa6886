import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driveStep } from '../../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../../loadtests/src/load/process.ts'
import { status, until } from '../../../loadtests/src/lib/await.ts'
import { paths } from '../../../loadtests/src/lib/paths.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import { killGroup } from '../../../loadtests/src/lib/processes.ts'
import { root } from '../../support/command.ts'
import { startService, type Service } from '../../support/service.ts'

/** A real k6 writes to a real Prometheus. */

const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
let prometheus: ChildProcess
let service: Service
let url: string

beforeAll(async () => {
  const [port] = (await freePorts(1)) as [number]
  url = `http://127.0.0.1:${port}`
  const config = join(folder, 'prometheus.yml')
  writeFileSync(config, '{}')
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    { detached: true, stdio: 'ignore' },
  )
  service = await startService((request) => ({ status: request % 10 ? 200 : 500 }))
  expect(await until(async () => (await status(`${url}/-/ready`)) === 200, { timeout: 20_000, every: 50 })).toBe(true)
}, 30_000)

afterAll(async () => {
  killGroup(prometheus.pid)
  await service.close()
  rmSync(folder, { recursive: true })
})

interface Series {
  metric: Record<string, string>
  value: [at: number, value: string]
}

async function ask(query: string): Promise<Series[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
  return ((await response.json()) as { data: { result: Series[] } }).data.result
}

test('what a step counted is in Prometheus too, under the labels of its run', async () => {
  const generator = processGenerator({ onCores: (argv) => argv, cores: 1, track: () => {}, folder })
  const remoteWrite = {
    url: `${url}/api/v1/write`,
    labels: { testid: 'run-1', variant: 'tuned', workflow: 'ping-webhook' },
  }
  const load = await driveStep(
    { url: service.url, method: 'GET', timeout: 5, duration: 12, shape: { kind: 'constant', rate: 20 } },
    { generator, p95: 500, signal: new AbortController().signal, remoteWrite },
  )
  const [accepted] = await ask('k6_accepted_total{testid="run-1"}')
  expect(accepted).toMatchObject({
    metric: { variant: 'tuned', workflow: 'ping-webhook' },
    value: [expect.any(Number), String(load.accepted)],
  })
  expect(Number((await ask('k6_answer_p95{testid="run-1"}'))[0]!.value[1])).toBeGreaterThan(0)
}, 30_000)

interface Dashboard {
  templating: { list: { name: string; type: string; query: string }[] }
  panels: { title: string; targets: { expr: string }[] }[]
}
const dashboard = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Dashboard
/** As Grafana fills them in, with everything chosen. */
const filledIn = (query: string) =>
  query
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '5m')
    .replaceAll(/\$(run|workflow)/g, '.*')
const queries = ({ panels }: Dashboard) =>
  panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, filledIn(expr)] as const))
const ofRuns = dashboard(join(root, 'docs/grafana-runs.json'))
const ofChart = dashboard(join(paths.chart, 'files/dashboard.json'))

test.each(queries(ofRuns))('the dashboard of runs shows it: %s', async (_title, query) => {
  const series = await ask(query)
  expect(series[0]).toMatchObject({ metric: { testid: 'run-1', variant: 'tuned' } })
  expect(Number(series[0]!.value[1])).toBeGreaterThan(0)
})

test.each(ofRuns.templating.list.filter(({ type }) => type === 'query'))(
  'a choice of the dashboard is a label of the run: $name',
  async ({ query }) => {
    const [, series, label] = /^label_values\((.+), (\w+)\)$/.exec(filledIn(query))!
    expect((await ask(series!))[0]!.metric[label!]).toMatch(/^(run-1|ping-webhook)$/)
  },
)

test('the chart’s dashboard shows the load of the lab beside n8n', async () => {
  const shown = queries(ofChart).filter(([, query]) => query.includes('k6_'))
  expect(shown).toHaveLength(2)
  for (const [, query] of shown) expect(await ask(query)).toMatchObject([{ metric: { testid: 'run-1' } }])
})
