import { ageQueue } from '../../../loadtests/src/n8n/queue.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const settings = () => ({
  EXECUTIONS_MODE: 'queue',
  QUEUE_BULL_REDIS_HOST: '127.0.0.1',
  QUEUE_BULL_REDIS_PORT: String(redis.port),
})

test('after a fault that empties Redis, no job has the number of a lost one', async () => {
  await redis.run('SET', 'bull:jobs:id', '41')
  await ageQueue(settings())
  expect(await redis.run('INCR', 'bull:jobs:id')).toBe(1_000_042)
})

test('without a queue there is nothing to do', async () => {
  await expect(ageQueue({ EXECUTIONS_MODE: 'regular' })).resolves.toBeUndefined()
})
