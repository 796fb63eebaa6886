import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startCluster, startRedis, type RedisServer } from '../../support/redis.ts'

/** docs/n8n-loses.md: jobs that a worker is just taking or finishing when it stops. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const support = (file: string) => JSON.stringify(join(import.meta.dirname, '../../', file))

/** Makes n8n's own worker service of a queue. */
const worker = `
  require('reflect-metadata')
  const Bull = require('bull')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const workerOf = (queue) =>
    Object.assign(Object.create(ScalingService.prototype), {
      queue,
      queueByName: new Map([['jobs', queue]]),
      // A job runs once n8n has read its execution, which none of these needs.
      jobProcessor: { getRunningJobIds: () => [], getRunningJobsSummary: () => [] },
      activeExecutions: { getRunningExecutionIds: () => [] },
      globalConfig: { generic: { gracefulShutdownTimeout: 30 } },
      logger: { debug() {}, info() {} },
    })`

/**
 * The worker stops at the moment that each scenario makes. Its queue is n8n's Bull with a real Redis, whose answers a
 * scenario can hold up. Prints which jobs were finished, and how many are left behind.
 */
const scenarios = {
  given: `
    way.hold()
    await add('given')
    await until(async () => (await active()) === 1, patient)
    await stops()
    way.letThrough()`,
  next: `
    for (const name of ['first', 'second']) await add(name, true)
    await until(async () => ends.length === 2, patient)
    await add('next')
    way.hold()
    ends.forEach((end) => end())
    await until(async () => (await others.getJobCounts()).completed === 2, patient)
    await stops()
    way.letThrough()`,
  read: `
    await add('read', true)
    await until(async () => ends.length === 1, patient)
    if (!(await stops())) ends[0]()`,
  idle: `
    if (!(await stops())) finished.push('late')
    await add('for others')`,
}

interface Outcome {
  finished: string[]
  left: number
}
type Outcomes = Record<keyof typeof scenarios, Outcome>

const stopsWhile = (port: number) => `
  ${worker}
  const main = async () => {
    const { wayTo } = await import(${support('support/way.ts')})
    const { until } = await import(${support('../loadtests/src/lib/await.ts')})
    const patient = { timeout: 10_000, every: 10 }
    const begin = async (prefix, scenario) => {
      const way = await wayTo(${port})
      const queueAt = (port) => new Bull('jobs', { redis: { port }, prefix: process.pid + prefix })
      const [others, queue] = [queueAt(${port}), queueAt(way.port)]
      const finished = []
      const ends = []
      queue.process(2, async ({ data: { name, waits } }) => {
        if (waits) await new Promise((end) => ends.push(end))
        finished.push(name)
      })
      const add = (name, waits = false) => others.add({ name, waits })
      const active = async () => (await others.getJobCounts()).active
      const service = workerOf(queue)
      let stopped
      /** Whether it has ended a while later: Bull ends a connection that waits after half a second. */
      const stops = () => {
        stopped = service.stopWorker().then(() => true)
        return Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 1500))])
      }
      await until(async () => queue.bclient.blocked, patient)
      await scenario({ way, others, ends, finished, add, active, stops, until, patient })
      await stopped
      return { finished, left: await active() }
    }
    const outcomes = await Promise.all([
      ${Object.entries(scenarios)
        .map(
          ([name, steps]) =>
            `begin('${name}', async ({ way, others, ends, finished, add, active, stops, until, patient }) => {${steps}
      }).then((outcome) => ['${name}', outcome])`,
        )
        .join(',\n      ')}
    ])
    process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)), () => process.exit())
  }
  main()`

describe.each(['2.41.1', '1.123.81'])('a worker of n8n %s that stops', (version) => {
  let plain: Outcomes
  let patched: Outcomes
  beforeAll(() => {
    ;({ plain, patched } = eachWay(version, 'finishTakenJobs', stopsWhile(redis.port)) as Record<
      'plain' | 'patched',
      Outcomes
    >)
  })

  test('leaves a job that Redis is just giving it, and with the patch finishes it', () => {
    expect(plain.given).toEqual({ finished: [], left: 1 })
    expect(patched.given).toEqual({ finished: ['given'], left: 0 })
  })

  test('leaves a job that Redis gives it with the end of another, and with the patch finishes it', () => {
    expect(plain.next).toEqual({ finished: ['first', 'second'], left: 1 })
    expect(patched.next).toEqual({ finished: ['first', 'second', 'next'], left: 0 })
  })

  test('leaves a job whose execution n8n is just reading, and with the patch finishes it', () => {
    expect(plain.read).toEqual({ finished: [], left: 1 })
    expect(patched.read).toEqual({ finished: ['read'], left: 0 })
  })

  test('ends soon without a job, and leaves what waits to others', () => {
    for (const { idle } of [plain, patched]) expect(idle).toEqual({ finished: [], left: 0 })
  })
})

const stopsInCluster = (nodes: string) => `
  ${worker}
  const { Cluster } = require('ioredis')
  const { setTimeout: pause } = require('node:timers/promises')
  const main = async () => {
    const { until } = await import(${support('../loadtests/src/lib/await.ts')})
    const createClient = () =>
      new Cluster(
        '${nodes}'.split(',').map((node) => ({ host: '127.0.0.1', port: Number(node.split(':')[1]) })),
        { enableReadyCheck: false, redisOptions: { maxRetriesPerRequest: null } },
      )
    const queue = new Bull('jobs', { createClient, prefix: '{' + process.pid + '}' })
    queue.process(10, async () => {})
    await until(async () => queue.bclient.blocked, { timeout: 10_000, every: 10 })
    const service = workerOf(queue)
    const soon = await Promise.race([service.stopWorker().then(() => true), pause(3000, false)])
    process.stdout.write(JSON.stringify(soon), () => process.exit())
  }
  main()`

test('a worker without a job that stops ends soon in a Redis Cluster, too', async () => {
  const cluster = await startCluster()
  try {
    const { plain, patched } = eachWay('2.41.1', 'finishTakenJobs', stopsInCluster(cluster.nodes))
    expect([plain, patched]).toEqual([true, true])
  } finally {
    await cluster.stop()
  }
})
