import { draw } from '../../../../loadtests/src/workload/outside/latency.ts'
import { random } from '../../../support/random.ts'

test('answers take as long as the percentiles say', () => {
  const next = random(7)
  const drawn = Array.from({ length: 20_000 }, () => draw({ p50: 80, p95: 300 }, next)).sort((a, b) => a - b)
  expect(drawn[10_000]! / 80).toBeCloseTo(1, 1)
  expect(drawn[19_000]! / 300).toBeCloseTo(1, 1)
})

test('one duration is every answer’s, and none is no wait', () => {
  expect(draw({ p50: 80, p95: 80 }, () => 0.99)).toBe(80)
  expect(draw({ p50: 0, p95: 0 }, () => 0.99)).toBe(0)
})
