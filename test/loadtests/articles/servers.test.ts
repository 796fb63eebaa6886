import { once } from 'node:events'
import { get } from 'node:http'
import { openBench, type Bench } from '../../../loadtests/articles/bench.ts'
import { measure } from '../../../loadtests/articles/measure.ts'
import { serve, type Server, type Serving } from '../../../loadtests/articles/servers.ts'
import { nodeBalancer } from '../../../loadtests/src/targets/local/balancer.ts'

/** Real servers, started as the articles start them. */

let bench: Bench
let serving: Serving
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

async function up(server: Partial<Server>): Promise<string[]> {
  serving = await serve(bench, { kind: 'http', cluster: 0, replicas: 1, cpu: null, ...server })
  return serving.processes.map(({ name }) => name)
}

/** A connection of its own each, one after the other. */
async function ask(path: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const [response] = await once(get(serving.url + path, { agent: false }), 'response')
    response.resume()
    await once(response, 'end')
  }
}

const counts = async (): Promise<Record<string, number | null>> =>
  Object.fromEntries(
    await Promise.all(serving.processes.map(async ({ name, answered }) => [name, (await answered?.()) ?? null])),
  )

/** What each process says that it answered, of these requests alone. */
async function spreadOf(requests: () => Promise<void>): Promise<Record<string, number | null>> {
  const before = await counts()
  await requests()
  const after = await counts()
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count === null ? null : count - (before[name] ?? 0)]),
  )
}

test.each(['http', 'express'] as const)('a single %s server answers, and counts what it answered', async (kind) => {
  expect(await up({ kind })).toEqual(['server-0'])
  expect(await (await fetch(`${serving.url}/hello`)).text()).toBe('Hello World')
  expect(await (await fetch(`${serving.url}/count/4`)).text()).toBe('6')
  expect(await spreadOf(() => ask('/count/10', 5))).toEqual({ 'server-0': 5 })
})

test('of a clustered server, master and workers are looked at each by itself, and the workers count', async () => {
  expect(await up({ cluster: 2 })).toEqual(['server-0-master', 'server-0-worker-1', 'server-0-worker-2'])
  expect(await spreadOf(() => ask('/hello', 6))).toEqual({
    'server-0-master': null,
    'server-0-worker-1': 3,
    'server-0-worker-2': 3,
  })
  for (const { usage } of serving.processes) expect(await usage()).toMatchObject({ pids: 1, rss: expect.any(Number) })
})

test('several servers answer in turn, behind a balancer', async () => {
  expect(await up({ replicas: 3, balancer: nodeBalancer })).toEqual(['balancer', 'server-0', 'server-1', 'server-2'])
  expect(await spreadOf(() => ask('/hello', 9))).toMatchObject({ 'server-0': 3, 'server-1': 3, 'server-2': 3 })
})

test('a row says what was answered, and what each process took for it', async () => {
  await up({ cpu: 0.2 })
  const signal = new AbortController().signal
  const load = { clients: 4, seconds: 3, timeout: 10, generator: bench.generator, signal }
  const url = `${serving.url}/count/500000`
  const row = await measure({ ...load, url, processes: serving.processes }, { configuration: 'one', work: 'count' })
  const [server] = row.processes
  expect(row.rate).toBeGreaterThan(0)
  expect(row.failed).toBe(0)
  expect(server).toMatchObject({ name: 'server-0', limit: 0.2, memory: expect.any(Number), cpu: expect.any(Number) })
  expect(server!.requests! / (row.rate * 3)).toBeCloseTo(1, 0)
})
