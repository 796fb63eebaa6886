import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

/** docs/resilience.md, "What n8n leaves to you": jobs that a worker is just taking or finishing when it stops. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const support = (file: string) => JSON.stringify(join(import.meta.dirname, '../../', file))

/**
 * n8n's own worker service stops at the moment that the scenario makes. Its queue is n8n's Bull with a real Redis,
 * whose answers the scenario can hold up. Prints which jobs were finished, and whether one was left to no worker.
 */
const stopsWhile = (scenario: string) => `
  require('reflect-metadata')
  const Bull = require('bull')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const main = async () => {
    const { wayTo } = await import(${support('support/way.ts')})
    const { until } = await import(${support('../loadtests/src/support/await.ts')})
    const patient = { timeout: 10_000, every: 10 }
    const way = await wayTo(${redis.port})
    const others = new Bull('jobs', { redis: { port: ${redis.port} }, prefix: String(process.pid) })
    const queue = new Bull('jobs', { redis: { port: way.port }, prefix: String(process.pid) })
    const began = []
    const finished = []
    const ends = []
    queue.process(2, async ({ data: { name, waits } }) => {
      began.push(name)
      if (waits) await new Promise((end) => ends.push(end))
      finished.push(name)
    })
    const add = (name, waits = false) => others.add({ name, waits })
    const active = async () => (await others.getJobCounts()).active
    const asksRedis = () => until(async () => queue.bclient.blocked, patient)
    const service = Object.assign(Object.create(ScalingService.prototype), {
      queue,
      queueByName: new Map([['jobs', queue]]),
      // A job runs once n8n has read its execution, which none of these needs.
      jobProcessor: { getRunningJobIds: () => [], getRunningJobsSummary: () => [] },
      activeExecutions: { getRunningExecutionIds: () => [] },
      globalConfig: { generic: { gracefulShutdownTimeout: 30 } },
      logger: { debug() {}, info() {} },
    })
    let stopped
    /** Whether it has ended a while later: Bull ends a connection that waits after half a second. */
    const stops = async () => {
      stopped = service.stopWorker().then(() => true)
      return Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 1500))])
    }
    await asksRedis()
    ${scenario}
    await stopped
    process.stdout.write(JSON.stringify({ finished, left: await active() }), () => process.exit())
  }
  main()`

const versions = ['2.41.1', '1.123.81']

describe.each(versions)('a worker of n8n %s that stops', (version) => {
  const ways = (scenario: string) => eachWay(version, 'finishTakenJobs', stopsWhile(scenario))

  test('leaves a job that Redis is just giving it, and with the patch finishes it', () => {
    const { plain, patched } = ways(`
      way.hold()
      await add('given')
      await until(async () => (await active()) === 1, patient)
      await stops()
      way.letThrough()`)
    expect(plain).toEqual({ finished: [], left: 1 })
    expect(patched).toEqual({ finished: ['given'], left: 0 })
  })

  test('leaves a job that Redis gives it with the end of another, and with the patch finishes it', () => {
    const { plain, patched } = ways(`
      for (const name of ['first', 'second']) await add(name, true)
      await until(async () => ends.length === 2, patient)
      await add('next')
      way.hold()
      ends.forEach((end) => end())
      await until(async () => (await others.getJobCounts()).completed === 2, patient)
      await stops()
      way.letThrough()`)
    expect(plain).toEqual({ finished: ['first', 'second'], left: 1 })
    expect(patched).toEqual({ finished: ['first', 'second', 'next'], left: 0 })
  })

  test('leaves a job whose execution n8n is just reading, and with the patch finishes it', () => {
    const { plain, patched } = ways(`
      await add('read', true)
      await until(async () => ends.length === 1, patient)
      if (!(await stops())) ends[0]()`)
    expect(plain).toEqual({ finished: [], left: 1 })
    expect(patched).toEqual({ finished: ['read'], left: 0 })
  })

  test('with the patch ends at once without a job, and leaves what waits to others', () => {
    const { patched } = ways(`
      const start = Date.now()
      await service.stopWorker()
      finished.push(Date.now() - start < 1000)
      await add('for others')`)
    expect(patched).toEqual({ finished: [true], left: 0 })
  })
})
