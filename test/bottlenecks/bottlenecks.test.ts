import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, jest, test } from '@jest/globals'
import { pidsOf, slowDisk, throttledDisk } from './groups.ts'
import { brokeBy, isOthers, measured, type Inject, type Told } from './lab.ts'
import { causeInWords } from '../../loadtests/src/report/answered.ts'
import { pauseRedis } from './redis.ts'
import type { Reason } from '../../loadtests/src/model/step.ts'

/**
 * Each bottleneck is made on real processes, and the lab is asked for it: each is to be found for what it is, and for
 * nothing else. `make test-bottlenecks`, a quarter of an hour on a quiet machine.
 */

const minutes = 60_000
// What else runs on the machine is a bottleneck as well, and may be the narrower one.
jest.retryTimes(1)
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', `${name}.json`)
const ping = { workflow: 'ping-webhook', clients: 8 }
const inQueue = { 'executions.mode': 'queue', 'database.type': 'embedded', 'worker.replicas': 1 }

const limitOf = (reasons: Reason[]) => reasons.find(({ code }) => code === 'latency')?.bottleneck

// Before the others, whose load the machine still has on its average after them.
test(
  'a load generator that asks a server faster than itself',
  async () => {
    if (loadavg()[0]! > availableParallelism())
      return console.warn('Others use the generator’s core, so that it does not get to its own limit: left out.')
    const reasons = await brokeBy({ workflow: 'ping-webhook', clients: 64, small: true })
    expect(reasons.map(({ code }) => code)).toEqual(['generator-behind'])
  },
  10 * minutes,
)

test(
  'a CPU limit of 200m, and the event loop behind it',
  async () => {
    const limit = limitOf(await brokeBy({ ...ping, values: { 'main.resources.limits.cpu': '200m' } }))
    expect(limit).toMatchObject({ code: 'cpu-limit', process: 'main-0' })
    expect(limit!.advice).toContain('raise main.resources.limits.cpu')
    expect(limit!.advice).toMatch(/After it comes (the event loop of main-0|the cores that n8n has here)/)
  },
  10 * minutes,
)

test(
  'the event loop of main, which has more cores than it can use',
  async () => {
    // It works on the event loop alone: on a machine that leaves n8n one core, nothing else of n8n uses that core up.
    const limit = limitOf(
      await brokeBy({ workflow: 'cpu-webhook', clients: 8, values: { 'main.resources.limits.cpu': 2 } }),
    )
    // On a machine that is busy all the time, its other programs are what is in the way, and the lab says so.
    if (limit && isOthers(limit)) return
    expect(limit).toMatchObject({ code: 'event-loop', process: 'main-0' })
    expect(limit!.advice).toContain('set executions.mode: queue')
  },
  10 * minutes,
)

test(
  'a heap of 300 MB under executions that hold more',
  async () => {
    const reasons = await brokeBy({
      workflow: fixture('hold-memory'),
      clients: 8,
      p95: '10s',
      values: { 'main.heap.megabytes': 300 },
    })
    expect(reasons[0]).toMatchObject({ code: 'heap-exhausted' })
    expect(reasons[0]!.advice).toContain('main.heap.megabytes')
  },
  10 * minutes,
)

test(
  'a pool of one connection',
  async () => {
    const values = { 'database.type': 'embedded', 'database.poolSize': 1 }
    const limit = limitOf(await brokeBy({ workflow: 'ping-webhook', clients: 16, values }))
    expect(limit).toMatchObject({ code: 'database-pool', process: 'main-0' })
    expect(limit!.advice).toContain('raise database.poolSize')
  },
  10 * minutes,
)

describe('PostgreSQL’s disk', () => {
  let disk: string | null = null
  beforeAll(async () => {
    disk = await throttledDisk()
  })

  it(
    'that writes 30 times a second',
    async () => {
      if (disk === null) return console.warn('The disk of temporary files cannot be slowed down here: left out.')
      const inject: Inject = async (lab) => slowDisk(await pidsOf(lab, 'postgresql-0'), disk!, 30)
      const limit = limitOf(await brokeBy({ ...ping, values: { 'database.type': 'embedded' } }, inject))
      expect(limit).toMatchObject({ code: 'database-disk' })
    },
    10 * minutes,
  )
})

test(
  'a Redis that pauses',
  async () => {
    const limit = limitOf(await brokeBy({ ...ping, values: inQueue }, pauseRedis))
    expect(limit).toMatchObject({ code: 'redis' })
  },
  10 * minutes,
)

test(
  'a worker that may run one execution at a time',
  async () => {
    const values = { ...inQueue, 'worker.concurrency': 1 }
    const limit = limitOf(await brokeBy({ workflow: fixture('wait-answer'), clients: 8, p95: '700ms', values }))
    expect(limit).toMatchObject({ code: 'concurrency' })
    expect(limit!.advice).toContain('raise worker.concurrency')
  },
  10 * minutes,
)

/** One cause, in the summary and in the report, and in the same words on the terminal. */
function causeOf({ summary, report, terminal }: Told) {
  const [configuration] = summary.answer.configurations
  expect(report).toContain(causeInWords(configuration!, null).slice(0, 20))
  const [reason] = summary.results[0]!.verdict.reasons
  expect(terminal).toContain(reason!.bottleneck!.what)
  return configuration!.limit
}

test(
  'the one core of n8n, under callers who come at random',
  async () => {
    const told = await measured({ workflow: 'http-webhook', rate: 9, p95: '250ms' })
    if (told.summary.results[0]!.verdict.reasons.some(({ bottleneck }) => bottleneck && isOthers(bottleneck))) return
    expect(causeOf(told)).toMatchObject({ code: 'one-core', process: 'main-0' })
  },
  10 * minutes,
)

test(
  'the slots of the task runner, whose code waits',
  async () => {
    const told = await measured({ workflow: fixture('wait-code'), rate: 8, p95: '2500ms' })
    expect(limitOf(told.summary.results[0]!.verdict.reasons)).toMatchObject({ code: 'runner-slots' })
    expect(causeOf(told)).toMatchObject({ code: 'runner' })
    expect(limitOf(told.summary.results[0]!.verdict.reasons)!.advice).toContain('raise runner.concurrency')
  },
  10 * minutes,
)

test(
  'a slow service',
  async () => {
    const told = await measured({
      workflow: 'http-webhook',
      rate: 3,
      p95: '800ms',
      services: { p50: '450ms', p95: '1s' },
    })
    expect(causeOf(told)).toMatchObject({ code: 'services' })
    expect(limitOf(told.summary.results[0]!.verdict.reasons)!.advice).toContain('look at what the workflow calls')
  },
  10 * minutes,
)
