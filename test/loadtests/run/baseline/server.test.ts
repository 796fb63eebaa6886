import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { planServer } from '../../../../loadtests/src/run/baseline/plan.ts'
import { processGenerator } from '../../../../loadtests/src/load/process.ts'
import type { Sample } from '../../../../loadtests/src/model/sample.ts'
import { startSampler } from '../../../../loadtests/src/run/sampler.ts'
import type { Values } from '../../../../loadtests/src/model/profile/experiment.ts'
import { until } from '../../../../loadtests/src/lib/await.ts'
import { localTarget } from '../../../../loadtests/src/targets/local/local.ts'
import type { Running, Target } from '../../../../loadtests/src/targets/target.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** Real servers, started as a run starts them. */

const logs = temporaryFolder()
let target: Target
let running: Running
beforeEach(async () => {
  target = await localTarget(processGenerator)
})
afterEach(() => target.close())

async function up(values: Values): Promise<string[]> {
  const order = {
    workflows: [{ id: 'hello', imports: [], webhook: { method: 'GET', path: '/hello' } }],
    balancer: 'node' as const,
    logs: join(logs, String(Math.random())),
    signal: new AbortController().signal,
    onEvent: () => {},
    onProgress: () => {},
  }
  running = await target.up(planServer(values), order)
  return running.processes.map(({ name }) => name)
}

/** A connection of its own each, one after the other. */
async function ask(path: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const [response] = await once(get(running.url + path, { agent: false }), 'response')
    response.resume()
    await once(response, 'end')
  }
}

/** What each process says that it answered, of these requests alone. */
async function spreadOf(requests: () => Promise<void>): Promise<Record<string, number>> {
  const sampler = startSampler(running.processes, () => {})
  const before = (await sampler.count(5000))!
  await requests()
  const after = (await sampler.count(5000))!
  sampler.stop()
  expect(after.underWay).toBe(0)
  return Object.fromEntries(
    Object.entries(after.requests).map(([name, count]) => [name, count - before.requests[name]!]),
  )
}

test.each(['http', 'express'])('a single %s server answers, and counts what it answered', async (server) => {
  expect(await up({ server })).toEqual(['server-0'])
  expect(await (await fetch(`${running.url}/hello`)).text()).toBe('Hello World')
  expect(await (await fetch(`${running.url}/count/4`)).text()).toBe('6')
  expect(await spreadOf(() => ask('/count/10', 5))).toEqual({ 'server-0': 5 })
})

test('of a clustered server, master and workers are looked at each by itself, and the workers count', async () => {
  expect(await up({ cluster: 2 })).toEqual(['server-0-master', 'server-0-worker-1', 'server-0-worker-2'])
  expect(await spreadOf(() => ask('/hello', 6))).toEqual({ 'server-0-worker-1': 3, 'server-0-worker-2': 3 })
  const samples: Sample[] = []
  const sampler = startSampler(running.processes, (sample) => samples.push(sample), 50)
  await until(async () => samples.length >= 3, { timeout: 10_000, every: 20 })
  sampler.stop()
  for (const sample of samples.slice(0, 3))
    expect(sample).toMatchObject({ pids: 1, rss: expect.any(Number), heapUsed: expect.any(Number) })
})

test('several servers answer in turn, behind a balancer', async () => {
  expect(await up({ replicas: 3 })).toEqual(['balancer', 'server-0', 'server-1', 'server-2'])
  expect(await spreadOf(() => ask('/hello', 9))).toEqual({ 'server-0': 3, 'server-1': 3, 'server-2': 3 })
})
