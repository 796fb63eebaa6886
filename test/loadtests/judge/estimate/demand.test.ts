import { workedOffIn } from '../../../../loadtests/src/judge/estimate/demand.ts'
import type { Sample } from '../../../../loadtests/src/model/sample.ts'
import type { Step } from '../../../../loadtests/src/model/step.ts'

/** 40 requests within 4 s, whose executions end evenly within 20 s. */
const step = { load: { startedAt: 0, endedAt: 4000, accepted: 40 } } as Step
const looksAt = (each: number, last = 20): Sample[][] => [
  Array.from(
    { length: last + 1 },
    (_, second) =>
      ({
        at: 1000 * second,
        executions: { started: each * Math.min(40, 10 * second), succeeded: 2 * each * second, failed: 0 },
      }) as Sample,
  ),
]

test('what a load leaves is worked off at the rate that n8n sustains', () => {
  expect(workedOffIn(step, looksAt(1))).toBe(2)
})

test('a request that executes two workflows is one request', () => {
  expect(workedOffIn(step, looksAt(2))).toBe(2)
})

test('an end that no look has seen says nothing', () => {
  expect(workedOffIn(step, looksAt(1, 10))).toBe(0)
  expect(workedOffIn(step, [])).toBe(0)
})
