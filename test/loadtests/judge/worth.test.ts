import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { cell, constant, end, run, step } from '../fixtures/records.ts'
import { rounds, type Took } from '../fixtures/rounds.ts'
import type { ReasonCode } from '../../../loadtests/src/model/step.ts'

/** Capacities of three repeats with everything, and with one setting left out. */
function worth(all: number[], without: Record<string, number[] | ReasonCode>) {
  const variants = [
    { name: 'tuned', values: {} },
    ...Object.keys(without).map((setting) => ({ name: `without-${setting}`, values: {}, without: setting })),
    { name: 'n8n-defaults', values: {} },
  ]
  const told = [all, ...Object.values(without), [10]].flatMap((rates, index) => [
    cell(index, { variant: variants[index]!.name }),
    ...(typeof rates === 'string'
      ? [step(index, 10, { because: [rates] })]
      : rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
  ])
  return summarise([run({ experiment: { variants, repeat: 3 } }), ...told, end()]).worth
}

test('is what n8n sustains more with the setting than without it', () => {
  const [only] = worth([100, 100, 100], { lazyIsolates: [25, 25, 25] })
  expect(only).toMatchObject({
    workflow: 'ping-webhook',
    setting: 'lazyIsolates',
    share: expect.closeTo(3),
    within: expect.closeTo(0.13, 2),
    finding: 'better',
  })
})

test('is told most valuable first, and n8n’s defaults are no setting', () => {
  expect(worth([100], { a: [90], b: [50], c: [120] }).map(({ setting }) => setting)).toEqual(['b', 'a', 'c'])
})

test('may be off by what the repeats lie apart, within which it is unsure', () => {
  const [only] = worth([95, 100, 105], { noStatistics: [94, 98, 99] })
  expect(only!.within).toBeCloseTo(0.1, 1)
  expect(only!.finding).toBe('unsure')
})

test('is no difference where repeats agree that there is none', () => {
  expect(worth([99, 100, 101], { noStatistics: [99, 100, 101] })[0]!.finding).toBe('same')
})

test('of many settings at once takes more to be shown than of one', () => {
  const some = { a: [92, 94, 96] }
  const none = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`b${index}`, [99, 100, 101]]))
  expect(worth([99, 101, 103], some)[0]!.finding).toBe('better')
  expect(worth([99, 101, 103], { ...some, ...none })[0]!.finding).toBe('unsure')
})

test('may be less than nothing', () => {
  expect(worth([80], { lazyIsolates: [100] })[0]).toMatchObject({ share: expect.closeTo(-0.2), within: null })
})

test('is everything where n8n dies without it, and comes first', () => {
  const [first] = worth([100], { a: [10], heapFromLimit: 'oom-killed' })
  expect(first).toMatchObject({
    setting: 'heapFromLimit',
    share: null,
    within: null,
    finding: null,
  })
})

test('is not asked for where nothing was left out', () => {
  expect(summarise([run(), end()]).worth).toEqual([])
})

describe('at a given load', () => {
  /** Three repeats of 50/s with everything, and the same without one setting. */
  function saved(all: Took[], without: Took[]) {
    const variants = [
      { name: 'tuned', values: {} },
      { name: 'without-quietSqliteDriver', values: {}, without: 'quietSqliteDriver' },
    ]
    const told = [all, without].flatMap((took, index) => [
      cell(index, { variant: variants[index]!.name }),
      ...rounds(index, took),
    ])
    return summarise([run({ experiment: { variants, load: constant, repeat: 3 } }), ...told, end()]).worth
  }

  const thrice = (took: Took) => [took, took, took]

  test('it is what a request takes less of CPU, p95 and memory', () => {
    expect(saved([{ cores: 0.5, p95: 20, memory: 400 }], [{ cores: 0.6, p95: 80, memory: 500 }])).toMatchObject([
      { measure: 'cpu', share: expect.closeTo(1 / 6), sides: { own: 0.01, other: 0.012 } },
      { measure: 'p95', share: expect.closeTo(0.75), sides: { own: 20, other: 80 } },
      { measure: 'memory', share: expect.closeTo(0.2), sides: { own: 400 * 2 ** 20, other: 500 * 2 ** 20 } },
    ])
  })

  test('each round is compared for itself, so that a machine that slows down in between does not hide it', () => {
    const [cpu] = saved(
      [{ cores: 0.27 }, { cores: 0.36 }, { cores: 0.45 }],
      [{ cores: 0.3 }, { cores: 0.4 }, { cores: 0.51 }],
    )
    expect(cpu!.within).toBeCloseTo(0.025, 3)
  })

  test('a share above nothing is an improvement, whatever is measured', () => {
    const [cpu, p95, memory] = saved(thrice({ cores: 0.5, memory: 550 }), thrice({ cores: 0.625, memory: 500 }))
    expect([cpu!.measure, cpu!.share]).toEqual(['cpu', expect.closeTo(0.2)])
    expect([p95!.measure, p95!.share]).toEqual(['p95', expect.closeTo(0)])
    expect([memory!.measure, memory!.share]).toEqual(['memory', expect.closeTo(-0.1)])
  })

  test('it may be off by what the rounds disagree on', () => {
    const [cpu] = saved([{ cores: 0.45 }, { cores: 0.5 }, { cores: 0.55 }], thrice({ cores: 0.55 }))
    expect(cpu).toMatchObject({ finding: 'unsure', within: expect.closeTo(0.23, 2) })
  })

  test('a round that one of them did not sustain is left out', () => {
    const [cpu] = saved(
      [{ cores: 0.5 }, { cores: 0.5 }, { cores: 0.5 }],
      [{ cores: 0.6 }, { cores: 0.9, because: ['errors'] }, { cores: 0.6 }],
    )
    expect(cpu!.sides).toEqual({ own: 0.01, other: 0.012, rounds: 2, of: 3 })
  })

  test('a round of late answers counts like any other: that they are late is what is measured', () => {
    const [, p95] = saved(thrice({ p95: 300 }), thrice({ p95: 600, because: ['latency'] }))
    expect(p95).toMatchObject({ share: expect.closeTo(0.5), sides: { own: 300, other: 600 } })
  })

  test('it is said once where n8n does not sustain the load without the setting', () => {
    expect(saved(thrice({}), thrice({ because: ['errors'] }))).toMatchObject([{ measure: 'cpu', finding: null }])
  })
})
