import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/lib/await.ts'
import { readStat } from '../../loadtests/src/lib/processes.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { versions, type Version } from '../support/runtime.ts'
import { bundled } from './files.ts'

const loaded = bundled.filter(({ ops }) => !ops)

const n8ns = new Map<Version, N8n>()
const peaks = new Map<Version, { before: number; peak: number }>()
let watching: NodeJS.Timeout

/** All workflows at once in each: they have to get along. The heap has room for both memory hogs. */
beforeAll(async () => {
  const env = { EXECUTIONS_PROCESS: 'main', NODE_OPTIONS: '--max-old-space-size=3072' }
  await Promise.all(
    versions.map(async (version) =>
      n8ns.set(
        version,
        await startN8n(
          version,
          loaded.map(({ path }) => path),
          { env },
        ),
      ),
    ),
  )
  watching = setInterval(() => void versions.map(watchMemory), 50)
}, 300_000)
afterAll(async () => {
  clearInterval(watching)
  await Promise.all([...n8ns.values()].map((n8n) => n8n.stop()))
})

async function watchMemory(version: Version): Promise<void> {
  const rss = (await readStat(n8ns.get(version)!.pid))?.rss ?? 0
  const { before, peak } = peaks.get(version) ?? { before: rss, peak: rss }
  peaks.set(version, { before: Math.min(before, rss), peak: Math.max(peak, rss) })
}

const idOf = (workflow: string) => bundled.find(({ name }) => name === workflow)!.workflow.id

describe.each(versions)('imported into n8n %s', (version) => {
  const get = async (path: string) => {
    const response = await fetch(`${n8ns.get(version)!.url}/webhook/${path}`)
    return { status: response.status, body: await response.json() }
  }
  const succeeded = (workflow: string) => n8ns.get(version)!.count('n8n_workflow_success_total', idOf(workflow))

  test.each([
    ['load-test', 'wait-5s-webhook'],
    ['load-test-builtin', 'wait-5s-webhook-builtin'],
  ])(
    'GET /webhook/%s answers at once and works on for five seconds',
    async (path, workflow) => {
      const started = performance.now()
      const { status, body } = await get(path)
      expect({ status, body }).toEqual({ status: 200, body: { message: 'Workflow was started' } })
      expect(await succeeded(workflow)).toBe(0)

      expect(await until(async () => (await succeeded(workflow)) === 1, { timeout: 30_000, every: 100 })).toBe(true)
      expect(performance.now() - started).toBeGreaterThan(4900)
    },
    30_000,
  )

  test('GET /webhook/ping answers with fixed values', async () => {
    expect(await get('ping')).toMatchObject({ status: 200, body: { answer: 'pong', service: 'n8n' } })
  })

  test('GET /webhook/expression answers with what it was given, or a default', async () => {
    const today = expect.stringMatching(/^\w+day, \d{1,2} \w+ \d{4}$/)
    expect(await get('expression?name=Ada')).toMatchObject({ status: 200, body: { greeting: 'Hello Ada', today } })
    expect(await get('expression')).toMatchObject({ status: 200, body: { greeting: 'Hello world', today } })
  })

  test('GET /webhook/cpu burns 20 ms in the n8n process', async () => {
    expect(await get('cpu')).toMatchObject({
      status: 200,
      body: { operation: 'cpu', cpuMs: 20, pid: n8ns.get(version)!.pid },
    })
  })

  test('GET /webhook/payload answers with 256 KiB of records', async () => {
    const { status, body } = await get('payload')
    expect({ status, size: JSON.stringify(body).length }).toEqual({ status: 200, size: 256 * 1024 })
    expect((body as { records: object[] }).records[0]).toMatchObject({ id: 1, name: 'Customer 1' })
  })

  test('GET /webhook/code runs a Code node', async () => {
    expect(await get('code')).toEqual({ status: 200, body: { rows: 100, total: 48_150 } })
  })

  test('GET /webhook/cpu-builtin counts', async () => {
    expect(await get('cpu-builtin')).toMatchObject({ status: 200, body: { counted: 40_000_000 } })
  })

  test.each(['memory-hog', 'memory-hog-builtin'])(
    '%s takes 512 MiB in the n8n process, which lives',
    async (workflow) => {
      expect(await until(async () => (await succeeded(workflow)) > 0, { timeout: 30_000, every: 100 })).toBe(true)
      const { before, peak } = peaks.get(version)!
      expect(peak - before).toBeGreaterThan(500 * 2 ** 20)
    },
    40_000,
  )

  test('none of them failed', async () => {
    for (const { workflow } of loaded)
      expect(await n8ns.get(version)!.count('n8n_workflow_failed_total', workflow.id)).toBe(0)
  })
})
