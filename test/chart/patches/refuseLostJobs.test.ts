import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

/** docs/n8n-loses.md: what waits in Redis while Redis loses its data. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

/**
 * How executions end that n8n's own service has queued in a Redis that then loses its data, if this is their state in
 * the database by then. A later job gets the id of the first one. Bull's five seconds are half a second here.
 */
const ends = (port: number, statuses: Record<string, string>, command = 'flushall') => `
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
    const ends = {}
    await queue.client.flushall()
    for (const id of Object.keys(statuses)) {
      const job = await add(id)
      ends[id] = 'none'
      job.finished().then(() => (ends[id] = 'finished'), ({ message }) => (ends[id] = message))
    }
    await queue.client.${command}()
    await add('later')
    await sleep(2500)
    process.stdout.write(JSON.stringify(ends), () => process.exit())
  }
  main()`

test.each(['2.41.1', '1.123.81'])(
  'on n8n %s a queued execution whose job is gone never ends, and with the patch it fails',
  (version) => {
    const statuses = { queued: 'new', taken: 'running', done: 'success' }
    const { plain, patched } = eachWay(version, 'refuseLostJobs', ends(redis.port, statuses))
    expect(plain).toEqual({ queued: 'none', taken: 'none', done: 'none' })
    expect(patched).toEqual({
      queued: 'The execution was lost: Redis no longer has its job. Send the request again.',
      taken: 'none',
      done: 'none',
    })
  },
)

test('with the patch an execution that waits for a worker goes on waiting', () => {
  const { patched } = eachWay('2.41.1', 'refuseLostJobs', ends(redis.port, { waits: 'new' }, 'ping'))
  expect(patched).toEqual({ waits: 'none' })
})
