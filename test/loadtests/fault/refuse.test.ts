import type { Plan } from '../../../loadtests/src/chart/plan.ts'
import { refuseWithout } from '../../../loadtests/src/fault/refuse.ts'
import { parseFault } from '../../../loadtests/src/shared/faults.ts'

/** A plan of these components, of which main has these variables. */
const planOf = (components: Record<string, number>, env: Record<string, string> = {}) =>
  ({
    workloads: Object.entries(components).map(([component, replicas]) => ({
      component,
      replicas,
      containers: [{ env: component === 'main' ? env : {} }],
    })),
  }) as unknown as Plan

const alone = planOf({ main: 1 })
const queue = planOf({ main: 1, worker: 2 }, { EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' })

test.each(['worker-killed', 'webhook-frozen', 'redis-cut', 'redis-killed', 'postgresql-full', 'postgresql-gone'])(
  '%s is refused where main is alone',
  (name) => {
    expect(() => refuseWithout(parseFault(name)!, alone)).toThrow(
      `Expected a plan with ${name.split('-')[0]}, which the fault needs, got one with main.`,
    )
  },
)

test.each(['main-killed', 'runner-killed', 'drained', 'rolled', 'upgraded=2.41.1'])(
  '%s can be done everywhere',
  (name) => {
    expect(() => refuseWithout(parseFault(name)!, alone)).not.toThrow()
  },
)

test.each(['worker-killed', 'redis-cut', 'postgresql-full'])(
  '%s can be done in queue mode, whoever runs Redis and PostgreSQL',
  (name) => {
    expect(() => refuseWithout(parseFault(name)!, queue)).not.toThrow()
  },
)

test('a role without a replica is not there', () => {
  expect(() => refuseWithout(parseFault('worker-killed')!, planOf({ main: 1, worker: 0 }))).toThrow('with worker')
})
