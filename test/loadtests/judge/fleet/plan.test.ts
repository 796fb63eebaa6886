import { fleetFrom } from '../../../../loadtests/src/judge/fleet/measured.ts'
import { concurrencyFor, usualSize } from '../../../../loadtests/src/judge/fleet/plan.ts'
import { lookAt } from '../../../support/fleet-looks.ts'

/** Executions that one worker should run at a time. */

const MiB = 2 ** 20

/** An n8n whose executions wait for a second each, and hold so much in the heap of their worker meanwhile. */
function waiting(held: number) {
  const looks = [2, 5, 8].map((rate, nth) => ({
    ...lookAt({
      seed: nth,
      requests: 1000,
      demands: { webhook: 0.008, worker: 0.03, redis: 0.0003, postgresql: 0.003 },
      cores: { webhook: 1, worker: 1, postgresql: 4 },
      slots: 50,
      crowded: 1,
      idle: 0.01,
      variation: 0.25,
      held: 1,
      rate,
      workers: 1,
      processors: 1,
    }),
    heap: { least: 150 * MiB, most: (150 + held * rate) * MiB, underWay: rate },
  }))
  return fleetFrom(looks, { slots: 50, outside: 1 })!
}

const recommended = (held: number) => {
  const fleet = waiting(held)
  return concurrencyFor(fleet, usualSize(fleet))
}

test('executions that wait and hold little may be as many as the rate of a full worker needs', () => {
  expect(waiting(2).heap).toBeNull()
  expect(recommended(2)).toBeGreaterThan(25)
})

test('of those that hold 50 MB, a worker of 1 GiB runs no more than its heap of 576 MiB has room for', () => {
  expect(waiting(50).heap!.each / MiB).toBeCloseTo(50)
  expect(recommended(50)).toBe(6)
})
