import { trustedRate } from '../../../loadtests/src/judge/generator.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'

const step = (throughput: number, coresBusy: number | null, purpose: 'measure' | 'warm-up' = 'measure') => ({
  purpose,
  load: { shape: 'constant', throughput, coresBusy } as LoadResult,
})
const calibrated = (most?: number) => ({ calibration: { rate: 900, p95: 9, rates: [900], ...(most && { most }) } })

describe('the rate up to which a machine can be trusted', () => {
  test('is told by steps at rates far apart: by what one more request takes, beside what the lab always takes', () => {
    expect(trustedRate([step(20, 0.2), step(60, 0.45), step(10, 0.9, 'warm-up')], calibrated(2000))).toBeCloseTo(132)
  })

  test('is about the same in a run of low rates, whatever the lab itself takes of the cores', () => {
    expect(trustedRate([step(8, 0.37), step(8.4, 0.36)], calibrated(2900))).toBeGreaterThan(1500)
    expect(trustedRate([step(8, 0.05), step(8.4, 0.06)], calibrated(2900))).toBeLessThan(2900)
  })

  test('is told by the calibration where steps take too little of them to tell', () => {
    expect(trustedRate([step(2, 0.03)], calibrated(2000))).toBeCloseTo(1935, -1)
    expect(trustedRate([step(20, null)], calibrated(2000))).toBe(2000)
  })

  test('is unknown where neither tells', () => {
    expect(trustedRate([], calibrated())).toBeNull()
    expect(trustedRate([], { calibration: null })).toBeNull()
  })
})
