import { fitScaling, replicasFor, type LawFit, type Point } from '../../../loadtests/src/judge/scaling.ts'
import { normal, random } from '../../support/random.ts'
import { type Law, rateAt } from '../../../loadtests/src/model/scaling.ts'

const law: Law = { lambda: 50, sigma: 0.06, kappa: 0.004 }
const sizes = [1, 2, 3, 4, 6, 8]
const points = (of: Law, replicas = sizes, off = (_: number) => 0): Point[] =>
  replicas.map((count, index) => ({ replicas: count, rate: rateAt(of, count) * (1 + off(index)) }))
const fit = (given: Point[]): LawFit => {
  const { fit: found, noLaw } = fitScaling(given)
  if (!found) throw new Error(`Expected a fit, got: ${noLaw.code}`)
  return found
}
const refusal = (given: Point[]) => fitScaling(given).noLaw

describe('the law', () => {
  test.each([
    law,
    { lambda: 12, sigma: 0, kappa: 0.02 },
    { lambda: 300, sigma: 0.3, kappa: 0 },
    { lambda: 7, sigma: 0, kappa: 0 },
  ])('is found again in its own points: %o', (known) => {
    const { law: found, residuals } = fit(points(known))
    expect(found.lambda).toBeCloseTo(known.lambda, 6)
    expect(found.sigma).toBeCloseTo(known.sigma, 6)
    expect(found.kappa).toBeCloseTo(known.kappa, 6)
    for (const { share } of residuals) expect(share).toBeCloseTo(0, 6)
  })

  test('fitted on 1, 2 and 3 replicas with the noise of real repeats, predicts 4 within 10 %', () => {
    let within = 0
    for (let seed = 0; seed < 200; seed++) {
      const next = random(seed)
      // Repeats agree within 2.5 %, and the figure is the median of three.
      const median = () => [0, 0, 0].map(() => 0.025 * (next() - 0.5)).sort((a, b) => a - b)[1]!
      const { law: found } = fit(points(law, [1, 2, 3], median))
      if (Math.abs(rateAt(found, 4) / rateAt(law, 4) - 1) <= 0.1) within++
    }
    expect(within).toBe(200)
  })

  test('tells what each point is off by', () => {
    const { residuals } = fit(points(law, sizes, (index) => (index === 2 ? 0.05 : 0)))
    expect(residuals.map(({ replicas }) => replicas)).toEqual(sizes)
    expect(residuals[2]!.share).toBeGreaterThan(0.02)
  })

  test('has no part that is negative, where noise makes more replicas seem better than they are', () => {
    const { law: found } = fit([
      { replicas: 1, rate: 50 },
      { replicas: 2, rate: 103 },
      { replicas: 3, rate: 152 },
    ])
    expect(found.sigma).toBeGreaterThanOrEqual(0)
    expect(found.kappa).toBeGreaterThanOrEqual(0)
  })
})

test('three points are no proof of a law of three parameters: what one of them is off by is told', () => {
  const { residuals } = fit([
    { replicas: 1, rate: 50 },
    { replicas: 2, rate: 96 },
    { replicas: 3, rate: 125 },
  ])
  expect(Math.max(...residuals.map(({ share }) => Math.abs(share)))).toBeGreaterThan(0.01)
})

describe('replicas', () => {
  test('for a load are the fewest that sustain it, and more to be sure', () => {
    const found = fit(points(law))
    const { likely, surely } = replicasFor(found, 150) as { likely: number; surely: number }
    expect(rateAt(law, likely)).toBeGreaterThanOrEqual(150)
    expect(rateAt(law, likely - 1)).toBeLessThan(150)
    expect(surely).toBeGreaterThanOrEqual(likely)
  })

  test('for a load beyond a peak that was seen are none', () => {
    const peaked = fit(points({ lambda: 50, sigma: 0.05, kappa: 0.03 }))
    expect(replicasFor(peaked, 2 * rateAt(peaked.law, peaked.peak!))).toBe('none')
  })

  test('for a load that takes more than twice as many as were measured are not forecast', () => {
    const linear = fit(points({ lambda: 10, sigma: 0, kappa: 0 }, [1, 2, 4, 8]))
    expect(replicasFor(linear, 10 * 16)).toMatchObject({ likely: 16 })
    expect(replicasFor(linear, 10 * 20)).toBeNull()
  })

  test('stop helping at a peak that the points show', () => {
    const peaked = { lambda: 50, sigma: 0.05, kappa: 0.03 }
    const { peak } = fit(points(peaked))
    expect(rateAt(peaked, peak!)).toBeGreaterThanOrEqual(rateAt(peaked, peak! - 1))
    expect(rateAt(peaked, peak!)).toBeGreaterThanOrEqual(rateAt(peaked, peak! + 1))
  })

  test('always help where none waits for another', () => {
    expect(fit(points({ lambda: 10, sigma: 0.1, kappa: 0 })).peak).toBeNull()
  })
})

describe('with the noise of repeats, 5 %', () => {
  const noisy = (of: Law, replicas: number[], seed: number) => {
    const next = random(seed)
    return fitScaling(points(of, replicas, () => 0.05 * normal(next))).fit
  }
  const tries = 200
  const share = (told: (found: LawFit) => boolean, of: Law, replicas: number[]) => {
    const found = Array.from({ length: tries }, (_, seed) => noisy(of, replicas, seed)).filter((one) => one !== null)
    return found.filter(told).length / found.length
  }
  const linear = { lambda: 30, sigma: 0, kappa: 0 }

  test.each([[[1, 2, 3]], [[1, 2, 4, 8]], [sizes]])('a linear n8n of %j shows no peak, and is called linear', (of) => {
    expect(share(({ peak }) => peak !== null, linear, of)).toBeLessThanOrEqual(0.05)
    expect(share((found) => found.linear, linear, of)).toBeGreaterThanOrEqual(0.9)
    expect(share((found) => replicasFor(found, 20 * linear.lambda) === 'none', linear, of)).toBeLessThanOrEqual(0.01)
  })

  test('a peak that is there is seen', () => {
    expect(share(({ peak }) => peak !== null, { lambda: 50, sigma: 0.05, kappa: 0.03 }, sizes)).toBeGreaterThan(0.9)
  })

  test('the forecast of twice as many holds what they sustain, 9 times in 10 or more', () => {
    const holds = ({ forecast }: LawFit) => {
      const { low, high } = forecast[15]!
      return low <= rateAt(law, 16) && rateAt(law, 16) <= high
    }
    expect(share(holds, law, sizes)).toBeGreaterThanOrEqual(0.9)
  })
})

describe('a fit is refused', () => {
  test('with fewer than three numbers of replicas', () => {
    expect(refusal(points(law, [1, 2, 2]))).toEqual({ code: 'too-few-sizes', sizes: 2, least: 3 })
  })

  test('where one of them holds nothing', () => {
    expect(refusal([...points(law, [1, 2, 3]), { replicas: 4, rate: 0 }])).toEqual({ code: 'one-held-nothing' })
  })

  test('where the points follow no law, and says which is off', () => {
    expect(
      refusal([
        { replicas: 1, rate: 50 },
        { replicas: 2, rate: 100 },
        { replicas: 3, rate: 60 },
        { replicas: 4, rate: 190 },
      ]),
    ).toMatchObject({ code: 'off-the-law', replicas: expect.any(Number), share: expect.any(Number) })
  })
})
