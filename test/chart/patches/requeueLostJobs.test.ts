import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

/** docs/n8n-loses.md: what is in Redis while Redis loses its data. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

interface Fate {
  statuses: Record<string, string>
  /** What happens to Redis. */
  command?: 'flushall' | 'ping'
  /** The number of the first job. One that is queued after the loss is number 1. */
  firstId?: number
}

/**
 * What becomes of executions that n8n's own service has queued in a Redis that then loses its data. These are their
 * states in the database by then. Prints which of them a worker executes, and how their callers hear of the end. The
 * worker begins when the executions have waited a while. Bull's five seconds are half a second here.
 */
const fate = (port: number, { statuses, command = 'flushall', firstId = 100 }: Fate) => `
  require('reflect-metadata')
  const { setTimeout: sleep } = require('node:timers/promises')
  const { setInterval: every } = globalThis
  globalThis.setInterval = (look, time) => every(look, time / 10)
  const Bull = require('bull')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const statuses = ${JSON.stringify(statuses)}
  const queue = new Bull('jobs', { redis: { port: ${port}, maxRetriesPerRequest: null, enableReadyCheck: false } })
  const service = Object.assign(Object.create(ScalingService.prototype), {
    queue,
    globalConfig: { executions: { queueRetention: { keepLastCompleted: 10, keepLastFailed: 10 } } },
    instanceSettings: { hostId: 'test' },
    executionRepository: { findOneBy: async ({ id }) => (statuses[id] ? { id, status: statuses[id] } : null) },
    eventService: { emit() {} },
    logger: { info() {} },
  })
  Object.defineProperty(service, 'defaultQueue', { value: queue })
  const add = (executionId) => service.addJob({ executionId }, { priority: 50 })
  const main = async () => {
    const executed = []
    const ends = {}
    const told = {}
    queue.on('global:progress', (id, { executionId, success }) => (told[executionId] = success))
    await queue.client.flushall()
    await queue.client.set(queue.toKey('id'), ${firstId - 1})
    for (const id of Object.keys(statuses)) {
      const job = await add(id)
      if (statuses[id] === 'deleted') statuses[id] = undefined
      ends[id] = 'none'
      job.finished().then(() => (ends[id] = 'finished'), ({ message }) => (ends[id] = message))
    }
    await queue.client.${command}()
    await add('later')
    await sleep(2500)
    queue.process('job', async ({ data }) => void executed.push(data.executionId))
    await sleep(1000)
    process.stdout.write(JSON.stringify({ executed, ends, told }), () => process.exit())
  }
  main()`

const lost = 'The execution was lost: Redis no longer has its job, and n8n called it crashed. Send the request again.'

test.each(['2.41.1', '1.123.81'])(
  'on n8n %s an execution whose job is gone never ends; with the patch it is executed, or its end is told',
  (version) => {
    const statuses = {
      queued: 'new',
      running: 'running',
      succeeded: 'success',
      failed: 'error',
      waits: 'waiting',
      crashed: 'crashed',
      deleted: 'deleted',
    }
    const { plain, patched } = eachWay(version, 'requeueLostJobs', fate(redis.port, { statuses }))
    expect(plain).toEqual({
      executed: ['later'],
      ends: Object.fromEntries(Object.keys(statuses).map((id) => [id, 'none'])),
      told: {},
    })
    expect(patched).toEqual({
      executed: ['later', 'queued'],
      ends: {
        queued: 'finished',
        running: 'none',
        succeeded: 'finished',
        failed: 'finished',
        waits: 'finished',
        crashed: lost,
        deleted: lost,
      },
      told: { succeeded: false, failed: false, waits: true },
    })
  },
)

test('with the patch a lost execution is executed although a later job that waits has its number', () => {
  const script = fate(redis.port, { statuses: { queued: 'new' }, firstId: 1 })
  const { plain, patched } = eachWay('2.41.1', 'requeueLostJobs', script)
  expect(plain).toEqual({ executed: ['later'], ends: { queued: 'finished' }, told: {} })
  expect(patched).toEqual({ executed: ['later', 'queued'], ends: { queued: 'finished' }, told: {} })
})

test('with the patch an execution that waits for a worker is executed once', () => {
  const script = fate(redis.port, { statuses: { waits: 'new' }, command: 'ping' })
  const { patched } = eachWay('2.41.1', 'requeueLostJobs', script)
  expect(patched).toEqual({ executed: ['waits', 'later'], ends: { waits: 'finished' }, told: {} })
})
