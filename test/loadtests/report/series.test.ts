import { curvesOf, fullest } from '../../../loadtests/src/report/series.ts'
import { T0, sample } from '../fixtures/records.ts'

const curve = (samples: ReturnType<typeof sample>[], points: number) => curvesOf(samples, points).get('main-0')!

test('leaves few samples as they are', () => {
  expect(curve([sample(0, T0, { cpu: 0.1 }), sample(0, T0 + 1000, { cpu: 0.2 })], 10)).toMatchObject({
    at: [T0, T0 + 1000],
    cpu: [0.1, 0.2],
  })
})

test('keeps the peak of memory and the average of CPU', () => {
  const samples = Array.from({ length: 1000 }, (_, second) =>
    sample(0, T0 + second * 1000, { rss: second === 777 ? 9999 : 10, cpu: second % 2 }),
  )
  const { at, rss, cpu } = curve(samples, 100)
  expect(at.length).toBeLessThanOrEqual(100)
  expect(Math.max(...rss.map(Number))).toBe(9999)
  expect(cpu.every((value) => value === 0.5)).toBe(true)
})

test('what is unknown throughout stays unknown', () => {
  expect(curve([sample(0, T0, { heapUsed: null })], 10).heapUsed).toEqual([null])
})

test('of looks at a queue those are kept at which most waited', () => {
  const looks = Array.from({ length: 1000 }, (_, second) => ({
    at: T0 + second * 1000,
    waiting: second === 777 ? 90 : 1,
    active: 5,
  }))
  const kept = fullest(looks, 100)
  expect(kept.length).toBeLessThanOrEqual(100)
  expect(kept).toContainEqual({ at: T0 + 777_000, waiting: 90, active: 5 })
  expect(fullest([], 100)).toEqual([])
})
