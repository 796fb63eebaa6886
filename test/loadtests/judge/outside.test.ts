import { together as joined } from '../../../loadtests/src/judge/outside.ts'
import type { OutsideCount } from '../../../loadtests/src/model/outside.ts'

const call = (count: number, p95: number, host = 'api.example.com') => ({
  host,
  method: 'GET',
  path: '/',
  outcome: 'answered' as const,
  count,
  waited: { p50: 1, p95 },
})
const visit = (over: Partial<OutsideCount> = {}): OutsideCount => ({
  calls: [],
  cpu: { seconds: 1, peak: 0.1 },
  turnedAway: 0,
  left: [],
  ...over,
})

const together = (visits: OutsideCount[], accepted = 0) => joined(visits, accepted)

test('calls of one kind are added up, and wait as where most of them were', () => {
  const { calls } = together([visit({ calls: [call(10, 5)] }), visit({ calls: [call(30, 7), call(1, 1, 'b')] })])
  expect(calls).toEqual([call(40, 7), call(1, 1, 'b')])
})

test('the mock took the sum, and the most of any second', () => {
  expect(together([visit(), visit({ cpu: { seconds: 2, peak: 0.3 } })]).cpu).toEqual({ seconds: 3, peak: 0.3 })
})

test('what was turned away is unknown where no network was closed', () => {
  expect(together([visit({ turnedAway: 2 }), visit({ turnedAway: 3 })]).turnedAway).toBe(5)
  expect(together([visit({ turnedAway: null })]).turnedAway).toBeNull()
})

test('each connection that left is told once', () => {
  expect(together([visit({ left: ['b:1', 'a:1'] }), visit({ left: ['a:1'] })]).left).toEqual(['a:1', 'b:1'])
})

test('a request waits for each of its calls', () => {
  const orders = { ...call(20, 9), waited: { mean: 50, p50: 5, p95: 9 } }
  const users = { ...call(10, 9, 'b'), waited: { mean: 200, p50: 5, p95: 9 } }
  expect(together([visit({ calls: [orders, users] })], 10).perRequest).toEqual({ calls: 3, waited: 300 })
})
