import { courseOf, peakOf } from '../../../loadtests/src/load/course.ts'

const lasts = (stages: { seconds: number }[]) => stages.reduce((sum, { seconds }) => sum + seconds, 0)

test('a ramp goes from one rate to the other', () => {
  expect(courseOf({ shape: 'ramp', from: 1, to: 50, duration: 60, timeout: 30 })).toEqual({
    kind: 'course',
    from: 1,
    stages: [{ rate: 50, seconds: 60 }],
    waiting: 0,
  })
})

test('a spike holds its rate, its peak for the middle fifth, and its rate again', () => {
  const { from, stages } = courseOf({ shape: 'spike', rate: 10, peak: 80, duration: 100, timeout: 30 })
  expect(from).toBe(10)
  expect(stages).toEqual([
    { rate: 10, seconds: 40 },
    { rate: 80, seconds: 0 },
    { rate: 80, seconds: 20 },
    { rate: 10, seconds: 0 },
    { rate: 10, seconds: 40 },
  ])
  expect(lasts(stages)).toBe(100)
})

test('a soak holds its rate', () => {
  expect(courseOf({ shape: 'soak', rate: 10, duration: 3600, timeout: 30 })).toMatchObject({
    from: 10,
    stages: [{ rate: 10, seconds: 3600 }],
    waiting: 0,
  })
})

test('a herd comes beside a rate that holds', () => {
  expect(courseOf({ shape: 'herd', rate: 10, waiting: 200, duration: 60, timeout: 30 })).toMatchObject({
    from: 10,
    stages: [{ rate: 10, seconds: 60 }],
    waiting: 200,
  })
})

test('its peak is the highest rate that is asked for', () => {
  expect(peakOf(courseOf({ shape: 'spike', rate: 10, peak: 80, duration: 100, timeout: 30 }))).toBe(80)
  expect(peakOf(courseOf({ shape: 'ramp', from: 50, to: 5, duration: 100, timeout: 30 }))).toBe(50)
})
