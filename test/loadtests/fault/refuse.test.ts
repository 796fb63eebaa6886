import type { Plan } from '../../../loadtests/src/chart/plan.ts'
import { render } from '../../../loadtests/src/chart/render.ts'
import { refuseOthersAt, refuseFaultWithout } from '../../../loadtests/src/fault/refuse.ts'
import { parseFault } from '../../../loadtests/src/fault/faults.ts'
import { refusalOf } from '../../support/refusal.ts'

let alone: Plan
let queue: Plan
beforeAll(async () => {
  alone = await render({})
  queue = await render({ executions: { mode: 'queue' }, database: { type: 'embedded' } })
})
const refusing = (name: string, plan: Plan) => () => refuseFaultWithout(parseFault(name)!, plan)

test.each(['worker-killed', 'webhook-frozen', 'redis-cut', 'redis-killed', 'postgresql-full', 'postgresql-gone'])(
  '%s is refused where main is alone',
  (name) => {
    expect(refusing(name, alone)).toThrow(
      `Expected a plan with ${name.split('-')[0]}, which the fault needs, got one with main.`,
    )
  },
)

test.each(['main-killed', 'runner-killed', 'drained', 'rolled', 'upgraded=2.41.1'])(
  '%s can be done everywhere',
  (name) => {
    expect(refusing(name, alone)).not.toThrow()
  },
)

test.each(['worker-killed', 'redis-cut', 'postgresql-full'])(
  '%s can be done in queue mode with the chart’s own stores',
  (name) => {
    expect(refusing(name, queue)).not.toThrow()
  },
)

test('a role without a replica is not there', () => {
  const idle = queue.workloads.map((one) => (one.component === 'worker' ? { ...one, replicas: 0 } : one))
  expect(refusing('worker-killed', { ...queue, workloads: idle })).toThrow('with worker')
})

/** What the settings of a running n8n lead to, right before the first command. */
describe('at the last moment', () => {
  const settings = {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: '127.0.0.1',
    DB_POSTGRESDB_PORT: '4001',
    EXECUTIONS_MODE: 'queue',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: '4002',
  }
  const stores = ['127.0.0.1:4001', '127.0.0.1:4002']

  test('stores that the target has started are let through', () => {
    expect(() => refuseOthersAt({ settings, stores })).not.toThrow()
    expect(() => refuseOthersAt({ settings: { DB_TYPE: 'sqlite' }, stores: [] })).not.toThrow()
  })

  test.each([
    ['another PostgreSQL', { DB_POSTGRESDB_HOST: 'db.example.com' }, 'db.example.com:4001'],
    ['another Redis', { QUEUE_BULL_REDIS_HOST: '10.0.0.7' }, '10.0.0.7:4002'],
    ['the same host at another port', { QUEUE_BULL_REDIS_PORT: '6379' }, '127.0.0.1:6379'],
  ])('%s is refused', async (_, other, address) => {
    const refusal = await refusalOf(() => refuseOthersAt({ settings: { ...settings, ...other }, stores }))
    expect(refusal).toMatchObject({ code: 'store-of-others', exit: 2, message: expect.stringContaining(address) })
  })

  test('a Redis that no variable names would be this machine’s own, and is refused', async () => {
    const { QUEUE_BULL_REDIS_HOST: _, ...nameless } = settings
    expect(await refusalOf(() => refuseOthersAt({ settings: nameless, stores }))).toMatchObject({
      code: 'store-of-others',
    })
  })
})
