import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

/** n8n 1 adds a job, which ends before the webhook asks for its end. Bull looks at once, then every five seconds. */
const endsFirst = (port: number) => `
  require('reflect-metadata')
  const Bull = require('bull')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const { JOB_TYPE_NAME } = require('./dist/scaling/constants.js')
  const main = async () => {
    const queue = new Bull('jobs', { redis: { port: ${port} }, prefix: String(process.pid) })
    const service = Object.assign(Object.create(ScalingService.prototype), {
      queue,
      logger: { info() {} },
      eventService: { emit() {} },
      instanceSettings: { hostId: 'test' },
    })
    const ended = (event) => new Promise((resolve) => queue.once('global:' + event, resolve))
    const answers = async (work, event) => {
      const over = ended(event)
      const job = await service.addJob({ executionId: '1', work }, { priority: 1 })
      await over
      const answer = job.finished().then(() => 'success', () => 'failure')
      return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 1000, 'silence'))])
    }
    void queue.process(JOB_TYPE_NAME, async ({ data }) => {
      if (data.work === 'fails') throw new Error('failed')
    })
    const said = { succeeds: await answers('succeeds', 'completed'), fails: await answers('fails', 'failed') }
    process.stdout.write(JSON.stringify(said), () => process.exit())
  }
  main()`

test('a webhook of n8n 1 hears of an execution that ended before it listened', () => {
  const { plain, patched } = eachWay('1.123.81', 'keepFinishedJobsN8n1', endsFirst(redis.port))
  expect(plain).toEqual({ succeeds: 'silence', fails: 'silence' })
  expect(patched).toEqual({ succeeds: 'success', fails: 'failure' })
})
