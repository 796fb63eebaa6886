import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sample } from '../../../loadtests/src/model/sample.ts'
import { startSampler } from '../../../loadtests/src/run/sampler.ts'
import { textOf, until } from '../../../loadtests/src/lib/await.ts'
import type { RunningProcess } from '../../../loadtests/src/n8n/running.ts'
import { startSmallN8n, type SmallN8n } from '../../support/small-n8n/start.ts'

/** Real processes, looked at as those of a run are, only more often. */
const every = 100

let main: SmallN8n
let worker: SmallN8n
beforeAll(async () => {
  ;[main, worker] = await Promise.all([startSmallN8n('main-0'), startSmallN8n('worker-0')])
})
afterAll(() => Promise.all([main.stop(), worker.stop()]))

/** Looks until it has seen what is asked for, and returns everything seen. */
async function watch(processes: RunningProcess[], enough: (samples: Sample[]) => boolean): Promise<Sample[]> {
  const samples: Sample[] = []
  const sampler = startSampler(processes, (sample) => samples.push(sample), every)
  const seen = await until(async () => enough(samples), { timeout: 15_000, every: 10 })
  sampler.stop()
  if (!seen) throw new Error(`Expected other samples, got ${JSON.stringify(samples)}`)
  return samples
}

const counting = async (processes: RunningProcess[], timeout = 5000) => {
  const sampler = startSampler(processes, () => {})
  const counts = await sampler.count(timeout)
  sampler.stop()
  return counts
}

test('a look tells what the system and the process itself know, of every process', async () => {
  const samples = await watch([main.process, worker.process], ({ length }) => length >= 2)
  expect(samples.map(({ process }) => process).sort()).toEqual(['main-0', 'worker-0'])
  for (const sample of samples) {
    expect(sample).toMatchObject({
      cpu: null,
      pids: 1,
      lag: expect.closeTo(229.9, 1),
      executions: { started: 0, succeeded: 0, failed: 0 },
    })
    expect(sample.rss).toBeGreaterThan(sample.heapUsed!)
    expect(sample.heapTotal).toBeGreaterThanOrEqual(sample.heapUsed!)
    expect(Math.abs(sample.at - Date.now())).toBeLessThan(10_000)
  }
})

test('CPU is the cores in use since the look before, also of a process too busy to answer', async () => {
  const told: { at: number; seconds: number }[] = []
  const usage = async () => {
    const now = await main.process.usage()
    told.push({ at: performance.now(), seconds: now.cpuSeconds! })
    return now
  }
  let asked = false
  const samples = await watch([{ ...main.process, usage }], (seen) => {
    if (seen.length === 2 && !asked) {
      asked = true
      void main.get('/busy?ms=2500')
    }
    return seen.filter(({ executions }) => executions === null).length === 2
  })
  expect(samples.at(-1)).toMatchObject({ heapUsed: null, lag: null, rss: expect.any(Number) })
  const [before, now] = told.slice(samples.length - 2) as [(typeof told)[0], (typeof told)[0]]
  expect(samples.at(-1)!.cpu).toBeCloseTo((1000 * (now.seconds - before.seconds)) / (now.at - before.at), 1)
  expect(now.seconds).toBeGreaterThan(before.seconds)
})

test('executions and requests go on counting over a restart', async () => {
  await Promise.all(Array.from({ length: 5 }, () => worker.get('/webhook/work')))
  const sampler = startSampler([worker.process], () => {})
  expect(await sampler.count(5000)).toEqual({
    executions: { started: 5, succeeded: 5, failed: 0 },
    underWay: 0,
    requests: { 'worker-0': 5 },
  })
  await worker.restart()
  await sampler.count(5000)
  await worker.get('/webhook/work')
  expect(await sampler.count(5000)).toMatchObject({
    executions: { started: 6, succeeded: 6 },
    requests: { 'worker-0': 6 },
  })
  sampler.stop()
})

test('counts are of all processes together, and say how many executions are under way', async () => {
  const before = (await counting([main.process, worker.process]))!
  await Promise.all([main.get('/webhook/stuck'), main.get('/webhook/stuck'), worker.get('/webhook/work')])
  const after = (await counting([main.process, worker.process]))!
  expect(after.executions.started - before.executions.started).toBe(3)
  expect(after.executions.succeeded - before.executions.succeeded).toBe(1)
  expect(after.underWay - before.underWay).toBe(2)
})

test('executions that died with their process are under way no longer', async () => {
  const sampler = startSampler([worker.process], () => {})
  await worker.get('/webhook/stuck')
  expect((await sampler.count(5000))!.underWay).toBe(1)
  await worker.restart()
  await sampler.count(5000)
  expect((await sampler.count(5000))!.underWay).toBe(0)
  sampler.stop()
})

test('there is no count where one process does not answer', async () => {
  const silent = { ...worker.process, metrics: (timeout: number) => textOf('http://127.0.0.1:1/metrics', timeout) }
  expect(await counting([main.process, silent])).toBeNull()
})

test('nor where one is still starting, which answers too', async () => {
  const starting = createServer((_, response) => response.end('n8n is starting up. Please wait')).listen(0, '127.0.0.1')
  await once(starting, 'listening')
  const { port } = starting.address() as AddressInfo
  expect(
    await counting([
      main.process,
      { ...worker.process, metrics: (timeout: number) => textOf(`http://127.0.0.1:${port}/metrics`, timeout) },
    ]),
  ).toBeNull()
  starting.close()
})

test('a process without metrics is looked at and not counted', async () => {
  const plain = { ...worker.process, metrics: undefined }
  const [sample] = await watch([plain], ({ length }) => length === 1)
  expect(sample).toMatchObject({ executions: null, heapUsed: null, pids: 1 })
  expect(await counting([plain])).toBeNull()
  expect(await counting([main.process, plain])).not.toBeNull()
})

test('a process that answers that it serves no metrics is not waited for', async () => {
  expect(await counting([main.process, { ...worker.process, metrics: async () => '' }])).not.toBeNull()
})

test('a sampler that was stopped says nothing more, not even of a look that was under way', async () => {
  let looks = 0
  let answer = () => {}
  const slow: RunningProcess = {
    ...main.process,
    metrics: undefined,
    usage: () => (looks++, new Promise((resolve) => (answer = () => resolve({ cpuSeconds: 0, rss: null, pids: 0 })))),
  }
  const samples: Sample[] = []
  const sampler = startSampler([slow], (sample) => samples.push(sample), every)
  await until(async () => looks > 0, { timeout: 5000, every: 10 })
  sampler.stop()
  answer()
  await new Promise((resolve) => setImmediate(resolve))
  expect(samples).toEqual([])
})
