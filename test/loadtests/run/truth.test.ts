import { points, slo } from '../../support/synthetic/points.ts'
import { exponentialQueue, lateShare, truthOf } from '../../support/synthetic/truth.ts'

/** What the intervals are held against is itself right. */

test('the simulation of one queue with exponential times agrees with its formula', () => {
  const rate = exponentialQueue(50, 500, 0.05)
  const of = { kind: 'queue', workers: 1, service: { mean: 50, spread: 'exponential' } } as const
  const { share, error } = lateShare(of, rate, 500)
  expect(Math.abs(share - 0.05)).toBeLessThan(3 * error)
})

test('several workers with one queue agree with theirs (Erlang)', () => {
  // 4 workers of 100 ms under 30/s: P(wait) = 0.509 by Erlang's C formula; waits are exponential with 10/s.
  const of = { kind: 'queue', workers: 4, service: { mean: 100, spread: 'exponential' } } as const
  const [own, left, waits, patience] = [10, 10, 0.5094, 0.5]
  const late = Math.exp(-own * patience) + waits * left * patience * Math.exp(-own * patience)
  const { share, error } = lateShare(of, 30, 500)
  expect(Math.abs(share - late)).toBeLessThan(3 * error)
})

test.each([points[4]!, points[8]!, points[13]!])('$text: what is written down is what is computed', ({ of, truth }) => {
  expect(Math.abs(truthOf(of, slo, 10).rate / truth - 1)).toBeLessThan(0.02)
})
