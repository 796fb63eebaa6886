import { machine } from '../../support/synthetic/machine.ts'
import { slo } from '../../support/synthetic/points.ts'
import { simulate } from '../../support/synthetic/simulate.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { cell, closed, constant, end, run, step } from '../fixtures/records.ts'
import type { Capacity } from '../../../loadtests/src/model/result.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const capacityOf = (steps: RunRecord[], load?: Load): Capacity | null =>
  summarise([run({ experiment: load ? { load } : {} }), cell(0), ...steps, end()]).results[0].capacity

describe('capacity of a search', () => {
  test('is the highest rate that held, and says where it broke', () => {
    const capacity = capacityOf([step(0, 50), step(0, 100), step(0, 120, { because: ['latency'] }), step(0, 110)])
    expect(capacity).toMatchObject({ rate: 110, brokeAt: 120, spread: null, repeats: [110] })
  })

  test('has no end where every rate held', () => {
    expect(capacityOf([step(0, 50), step(0, 100)])).toMatchObject({ rate: 100, brokeAt: null })
  })

  test('is nothing where nothing held', () => {
    expect(capacityOf([step(0, 10, { because: ['errors'] }), step(0, 5, { because: ['errors'] })])).toBeNull()
  })

  test('does not count a rate above one that broke', () => {
    const capacity = capacityOf([step(0, 50), step(0, 80, { because: ['latency'] }), step(0, 90)])
    expect(capacity).toMatchObject({ rate: 50, brokeAt: 80 })
  })

  test('forgives a hiccup at a rate that held as often as it failed', () => {
    const capacity = capacityOf([
      step(0, 50, { because: ['latency'] }),
      step(0, 50),
      step(0, 100),
      step(0, 110, { because: ['latency'] }),
    ])
    expect(capacity).toMatchObject({ rate: 100, brokeAt: 110 })
  })

  test('is the median over the repeats, with their spread', () => {
    const capacity = capacityOf(
      [1, 2, 3].flatMap((repeat) => [
        step(0, 90 + repeat * 5, { repeat }),
        step(0, 110 + repeat, { repeat, because: ['latency'] }),
      ]),
    )
    expect(capacity).toMatchObject({ rate: 100, repeats: [95, 100, 105], spread: 0.1, brokeAt: 112 })
  })

  test('counts a repeat in which nothing held as none', () => {
    const capacity = capacityOf([
      step(0, 100, { repeat: 1 }),
      step(0, 100, { repeat: 2 }),
      step(0, 5, { repeat: 3, because: ['oom-killed'] }),
    ])
    expect(capacity).toMatchObject({ rate: 100, repeats: [100, 100, 0], spread: 1 })
  })

  test('ignores warm-up', () => {
    expect(capacityOf([step(0, 500, { purpose: 'warm-up' }), step(0, 20)])).toMatchObject({ rate: 20 })
  })

  test('does not call the generator’s limit the server’s', () => {
    expect(capacityOf([step(0, 100), step(0, 150, { because: ['generator-behind'] })])).toMatchObject({
      rate: 100,
      brokeAt: null,
    })
  })

  test('tells latency and executions at that rate, not those of other rates', () => {
    const capacity = capacityOf([
      step(0, 50, { p95: 20 }),
      step(0, 100, { p95: 70 }),
      step(0, 120, { p95: 900, because: ['latency'] }),
    ])
    expect(capacity).toMatchObject({ p95: 70, accounting: { accepted: 1000, finished: 1000 } })
  })
})

test('tells the latency of all tries at that rate, the one that failed too', () => {
  const capacity = capacityOf([
    step(0, 100, { p95: 900, because: ['latency'] }),
    step(0, 100, { p95: 100 }),
    step(0, 120, { because: ['latency'] }),
  ])
  expect(capacity).toMatchObject({ rate: 100, p95: 500, accounting: { accepted: 2000 } })
})

test('a step that was too short for its executions says nothing of the rate', () => {
  expect(
    capacityOf([
      step(0, 50),
      step(0, 60, { because: ['too-short'] }),
      step(0, 60),
      step(0, 70, { because: ['latency'] }),
    ]),
  ).toMatchObject({ rate: 60, brokeAt: 70 })
})

describe('capacity of a rate that changes', () => {
  test('is the most that was asked for, not the mean', () => {
    const ramp: Load = { shape: 'ramp', from: 1, to: 100, duration: 60, timeout: 30 }
    expect(capacityOf([step(0, 100, { throughput: 50.5, seconds: 60 })], ramp)).toMatchObject({ rate: 100 })
  })
})

describe('capacity of a closed shape', () => {
  test('is the rate of successful answers, also where the objective is missed', () => {
    const capacity = capacityOf(
      [1, 2, 3].map((repeat) => step(0, null, { repeat, throughput: 80 + repeat, because: ['latency'] })),
      closed,
    )
    expect(capacity).toMatchObject({ rate: 82, repeats: [81, 82, 83] })
  })
})

describe('capacity of a constant rate', () => {
  test('is what came through', () => {
    expect(capacityOf([step(0, 50, { throughput: 49.9 })], constant)).toMatchObject({ rate: 49.9 })
  })

  test('is nothing as soon as one step missed the objective', () => {
    expect(
      capacityOf([step(0, 50, { repeat: 1 }), step(0, 50, { repeat: 2, because: ['latency'] })], constant),
    ).toBeNull()
  })
})

test('a capacity far beyond the highest rate that was tried is not claimed', async () => {
  const { measure, steps, samples } = simulate((clock) => machine({ uneven: 0.3 })(clock, 1), slo, {
    arrivals: 'random',
    seed: 1,
  })
  for (const clients of [8, 16, 16])
    await measure({ kind: 'closed', vus: clients }, 5, { purpose: 'warm-up', endOnExit: true })
  await measure({ kind: 'constant', rate: 4 }, 30, { purpose: 'measure', endOnExit: true })
  const records = [
    ...Array.from(samples, (sample): RunRecord => ({ type: 'sample', cell: 0, ...sample })),
    ...steps.map((one): RunRecord => ({ type: 'step', at: one.load.endedAt, cell: 0, ...one })),
  ]
  const { rate, interval, estimate } = capacityOf(records)!
  expect({ rate, interval }).toEqual({ rate: 4, interval: { low: 4, high: null } })
  expect(estimate).toMatchObject({ basis: 'steps', safe: { rate: 4 } })
})

test('nor one far below the lowest', async () => {
  const { measure, steps, samples } = simulate((clock) => machine({ uneven: 0.3, demand: 0.15 })(clock, 1), slo, {
    arrivals: 'random',
    seed: 1,
  })
  for (const clients of [8, 16])
    await measure({ kind: 'closed', vus: clients }, 5, { purpose: 'warm-up', endOnExit: true })
  for (const rate of [5, 5.5]) await measure({ kind: 'constant', rate }, 30, { purpose: 'measure', endOnExit: true })
  const records = [
    ...Array.from(samples, (sample): RunRecord => ({ type: 'sample', cell: 0, ...sample })),
    ...steps.map((one): RunRecord => ({ type: 'step', at: one.load.endedAt, cell: 0, ...one })),
  ]
  expect(capacityOf(records)).toBeNull()
})
