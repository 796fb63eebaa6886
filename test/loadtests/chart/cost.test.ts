import { planCost } from '../../../loadtests/src/chart/cost.ts'
import type { Plan } from '../../../loadtests/src/chart/plan.ts'
import type { Limit } from '../../../loadtests/src/model/result.ts'

const plan = (...workloads: { replicas: number; limits: Limit }[]): Plan =>
  ({
    services: [],
    workloads: workloads.map(({ replicas, limits }) => ({ replicas, containers: [{ limits }] })),
  }) as unknown as Plan
const gib = 2 ** 30

test('is the price of all CPUs and GiB, replicas included', () => {
  expect(
    planCost(
      plan({ replicas: 1, limits: { cpu: 1, memory: gib } }, { replicas: 3, limits: { cpu: 0.5, memory: 2 * gib } }),
      { cpu: 20, memory: 3 },
    ),
  ).toBe(23 + 3 * (10 + 6))
})

test('is unknown where something may take what it likes', () => {
  expect(planCost(plan({ replicas: 1, limits: { cpu: null, memory: gib } }), { cpu: 20, memory: 3 })).toBeNull()
  expect(planCost(plan({ replicas: 1, limits: { cpu: 1, memory: null } }), { cpu: 20, memory: 3 })).toBeNull()
})

test('needs no limit for what costs nothing', () => {
  expect(planCost(plan({ replicas: 2, limits: { cpu: null, memory: gib } }), { cpu: 0, memory: 3 })).toBe(6)
})
