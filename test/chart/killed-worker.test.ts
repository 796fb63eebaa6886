import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { outcomePatience } from '../../loadtests/src/fault/oracle.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'

/** docs/contributing/n8n-loses.md: an execution whose worker was killed. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

/** The queue as n8n's own service makes it, with shorter times. Prints how the job of a dead worker ends. */
const afterDeath = (port: number) => `
  require('reflect-metadata')
  const { Container } = require('@n8n/di')
  const { Redis } = require('ioredis')
  const { RedisClientService } = require('./dist/services/redis-client.service.js')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  Container.set(RedisClientService, {
    toValidPrefix: (prefix) => prefix,
    createClient: () => new Redis({ port: ${port}, maxRetriesPerRequest: null, enableReadyCheck: false }),
  })
  const service = Object.assign(Object.create(ScalingService.prototype), {
    queueByName: new Map(),
    globalConfig: {
      queue: {
        bull: { prefix: 'bull', settings: { lockDuration: 500, lockRenewTime: 250, stalledInterval: 250 } },
        workerPool: { enabled: false },
      },
    },
    instanceSettings: { instanceType: 'worker' },
    registerListenersForQueue() {},
    scheduleQueueMetrics() {},
    logger: { debug() {} },
  })
  const main = async () => {
    await service.setupQueue()
    const [queue] = service.queueByName.values()
    const dead = await queue.add('job', { execution: 'of the dead' })
    // A worker takes it and dies: it never renews its lock.
    await queue.getNextJob()
    const executed = []
    void queue.process('job', 1, async ({ data }) => void executed.push(data.execution))
    const end = await dead.finished().catch(({ message }) => message)
    await (await queue.add('job', { execution: 'of a caller who tries again' })).finished()
    process.stdout.write(JSON.stringify({ end, executed }), () => process.exit())
  }
  main()`

const { folder, node } = runtime('2.41.1')
const inN8n = (script: string) =>
  JSON.parse(
    execFileSync(node, ['-e', script], { cwd: join(folder, 'node_modules/n8n'), encoding: 'utf8', timeout: 60_000 }),
  ) as unknown

test('n8n fails the execution of a dead worker and does not start it again', () => {
  expect(inN8n(afterDeath(redis.port))).toEqual({
    end: 'job stalled more than maxStalledCount',
    executed: ['of a caller who tries again'],
  })
}, 300_000)

/** Prints how long the lock of a job lasts, and how often n8n looks for jobs without one. */
const untilGivenUp = `
  require('reflect-metadata')
  const { Container } = require('@n8n/di')
  const { GlobalConfig } = require('@n8n/config')
  const { lockDuration, stalledInterval } = Container.get(GlobalConfig).queue.bull.settings
  process.stdout.write(JSON.stringify({ lockDuration, stalledInterval }))`

test('the lab waits for an answer for longer than n8n takes to give up the job of a dead worker', () => {
  const { lockDuration, stalledInterval } = inN8n(untilGivenUp) as Record<string, number>
  // Two looks: the first notes the jobs that are under way, and the second gives up those still without a lock.
  expect(lockDuration! + 2 * stalledInterval!).toBeLessThan(1000 * outcomePatience)
}, 300_000)
