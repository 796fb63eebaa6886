import { trustedRate } from '../../../loadtests/src/judge/generator.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'

const step = (throughput: number, coresBusy: number | null, purpose: 'measure' | 'warm-up' = 'measure') => ({
  purpose,
  load: { shape: 'constant', throughput, coresBusy } as LoadResult,
})
const calibrated = (most?: number) => ({ calibration: { rate: 900, p95: 9, rates: [900], ...(most && { most }) } })

describe('the rate up to which a machine can be trusted', () => {
  test('is told by the busiest step: what it took of the generator’s cores, all programs included', () => {
    expect(trustedRate([step(20, 0.2), step(60, 0.45), step(10, 0.9, 'warm-up')], calibrated(2000))).toBeCloseTo(120)
  })

  test('is told by the calibration where steps take too little of them to tell', () => {
    expect(trustedRate([step(2, 0.03)], calibrated(2000))).toBe(2000)
    expect(trustedRate([step(20, null)], calibrated(2000))).toBe(2000)
  })

  test('is unknown where neither tells', () => {
    expect(trustedRate([], calibrated())).toBeNull()
    expect(trustedRate([], { calibration: null })).toBeNull()
  })
})
