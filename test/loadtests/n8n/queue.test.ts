import { ageQueue, openQueue } from '../../../loadtests/src/n8n/queue.ts'
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

test('a look counts the commands that Redis ran', async () => {
  const queue = openQueue(settings())!
  const before = await queue.look()
  for (let nth = 0; nth < 20; nth++) await redis.run('INCR', 'some')
  const after = await queue.look()
  await queue.close()
  expect(after.commands! - before.commands!).toBeGreaterThanOrEqual(20)
})

test('a user who may not ask Redis for that still sees the queue', async () => {
  await redis.run('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@all', '-info')
  await redis.run('LPUSH', 'bull:jobs:wait', '1')
  const queue = openQueue({
    ...settings(),
    QUEUE_BULL_REDIS_USERNAME: 'reader',
    QUEUE_BULL_REDIS_PASSWORD: 'secret',
  })!
  const seen = await queue.look()
  await queue.close()
  expect(seen).toMatchObject({ waiting: 1 })
  expect(seen.commands).toBeUndefined()
})
