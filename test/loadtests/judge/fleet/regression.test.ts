import { lineThrough } from '../../../../loadtests/src/judge/fleet/regression.ts'
import { normal, random } from '../../../support/random.ts'

const use = (processes: number, rate: number, used: number, seconds = 30) => ({ processes, rate, used, seconds })

test('two rates and two numbers of processes tell the demand of an execution from the idle use', () => {
  const line = lineThrough([use(1, 10, 0.22), use(1, 20, 0.42), use(2, 20, 0.44), use(2, 40, 0.84)])!
  expect(line).toMatchObject({ idleKnown: true })
  expect(line.slope).toBeCloseTo(0.02, 10)
  expect(line.idle).toBeCloseTo(0.02, 10)
  expect(line.within).toBeCloseTo(0, 6)
})

test('steps of one rate count all use as of the load, and say so', () => {
  const line = lineThrough([use(1, 10, 0.25), use(1, 10, 0.23), use(1, 10, 0.24)])!
  expect(line).toMatchObject({ idle: 0, idleKnown: false })
  expect(line.slope).toBeCloseTo(0.024, 10)
})

test('an idle use below zero is none', () => {
  expect(lineThrough([use(1, 10, 0.1), use(1, 20, 0.3), use(1, 30, 0.5)])).toMatchObject({ idle: 0, idleKnown: false })
})

describe('steps that are all near what n8n sustains', () => {
  const full = [use(1, 14, 0.27), use(1, 17, 0.3), use(1, 20, 0.3)]

  test('do not make a process idle at more than the least that it was seen to use', () => {
    const line = lineThrough(full, 0.04)!
    expect(line).toMatchObject({ idle: 0.04, idleKnown: false })
    expect(line.slope).toBeCloseTo(0.0145, 3)
  })

  test('leave open whether it is idle at less, however many they are', () => {
    const many = Array.from({ length: 10 }, () => full).flat()
    const line = lineThrough(many, 0.04)!
    const withoutIdle = lineThrough(many, 0)!
    expect(line.slope + line.within!).toBeGreaterThan(withoutIdle.slope)
  })

  test('tell the idle use together with one at a low rate', () => {
    const line = lineThrough([...full, use(1, 2, 0.12)], 0.04)!
    expect(line).toMatchObject({ idleKnown: true })
    expect(line.idle).toBeGreaterThan(0.09)
  })
})

test('one step tells no interval, and none tells nothing', () => {
  expect(lineThrough([use(1, 10, 0.25)])).toMatchObject({ slope: 0.025, within: null })
  expect(lineThrough([])).toBeNull()
})

test('the interval holds the demand 9 times in 10', () => {
  const next = random(5)
  const held = Array.from({ length: 400 }, () => {
    const line = lineThrough(
      [5, 10, 15, 20, 25, 30].map((rate) => use(1, rate, 0.05 + 0.02 * rate + 0.01 * normal(next))),
    )!
    return Math.abs(line.slope - 0.02) <= line.within!
  })
  expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(340)
  expect(held.filter(Boolean).length).toBeLessThanOrEqual(380)
})
