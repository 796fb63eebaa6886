import type { Cell } from '../../../loadtests/src/run/cells.ts'
import { offBy, remaining, untilEnough } from '../../../loadtests/src/run/enough.ts'
import { cell, experiment, run, step, T0 } from '../fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const cells = ['a', 'b'].map((variant, number) => ({
  number,
  variant,
  matrix: {},
  traffic: { name: 'ping-webhook' },
})) as unknown as Cell[]
const asking = (over: { within?: number; budget?: number } = {}) =>
  experiment({
    enough: { within: 0.1, budget: 900, ...over },
    variants: [
      { name: 'a', values: {} },
      { name: 'b', values: {} },
    ],
  })

/** Follows the schedule; each visit finds the next of these capacities, and takes a minute. */
function follow(capacities: number[], asked = asking()) {
  const records: RunRecord[] = [run({ experiment: asked })]
  let visits = 0
  for (let visit = untilEnough(cells, records, asked); visit; visit = untilEnough(cells, records, asked)) {
    const at = T0 + ++visits * 60_000
    const [number] = visit.cells as [number]
    const rate = capacities[(visit.repeat - 1) % capacities.length]!
    records.push(
      cell(number, { variant: cells[number]!.variant, at: at - 60_000 }),
      step(number, rate, { repeat: visit.repeat }),
      step(number, rate * 1.02, { repeat: visit.repeat, because: ['latency'] }),
      { type: 'visited', at, cell: number, repeat: visit.repeat },
    )
  }
  return { rounds: visits / cells.length, records, asked }
}

test('repeats that agree are enough after a few', () => {
  const { rounds } = follow([100, 101, 102])
  expect(rounds).toBeGreaterThanOrEqual(3)
  expect(rounds).toBeLessThanOrEqual(6)
})

test('repeats that lie apart are measured again, until their mean is known as well as asked', () => {
  const { rounds, records, asked } = follow([90, 100, 110], asking({ within: 0.6, budget: 1e6 }))
  expect(rounds).toBeGreaterThan(3)
  expect(rounds).toBeLessThan(30)
  expect(offBy(records, asked)).toBeLessThanOrEqual(1)
})

test('no round begins for which there is no time left', () => {
  // Two minutes each.
  expect(follow([50, 100, 200], asking({ budget: 500 })).rounds).toBe(4)
  expect(follow([50, 100, 200], asking({ budget: 30 })).rounds).toBe(1)
})

test('a round that was begun is ended', () => {
  const { records, asked } = follow([50, 100, 200], asking({ budget: 500 }))
  const cut = records.slice(
    0,
    records.findLastIndex(({ type }) => type === 'visited'),
  )
  expect(untilEnough(cells, cut, asked)).not.toBeNull()
})

test('a gate goes on while a verdict is unsure', () => {
  const gate = { type: 'gate', at: T0, bounds: { capacity: 0.08, memory: 0.15, cpu: 0.08 }, earlier: null } as const
  const measured = (...rates: number[]): RunRecord[] =>
    cells.flatMap(({ number, variant }) => [
      cell(number, { variant }),
      ...rates.flatMap((rate, index): RunRecord[] => [
        step(number, rate, { repeat: index + 1 }),
        { type: 'visited', at: T0, cell: number, repeat: index + 1 },
      ]),
    ])
  const asked = asking()
  expect(offBy([run({ experiment: asked }), gate, ...measured(100, 101, 102)], asked)).toBe(0)
  expect(offBy([run({ experiment: asked }), gate, ...measured(60, 100, 140)], asked)).toBe(Infinity)
})

describe('what is left', () => {
  test('is not known before anything has ended', () => {
    expect(remaining(cells, [run()], experiment())).toBeNull()
  })

  test('of a fixed number of repeats is as many visits as there are, each as long as until now', () => {
    const { records } = follow([100], asking({ budget: 30 }))
    expect(remaining(cells, records, experiment({ repeat: 3 }))).toBe(4 * 60)
  })

  test('is right within a third after the first visit, where repeats agree', () => {
    const { records, asked } = follow([100, 101, 102])
    const first = records.slice(0, 1 + records.findIndex(({ type }) => type === 'visited'))
    expect(remaining(cells, first, asked)! / (5 * 60)).toBeCloseTo(1, 0)
  })

  test('does not take the installing of n8n for the time of each visit', () => {
    const { records } = follow([100], asking({ budget: 30 }))
    const ready: RunRecord = { type: 'event', at: T0 + 40_000, cell: 0, process: 'main-0', kind: 'ready' }
    const first = [...records.slice(0, 2), ready, ...records.slice(2, 5)]
    expect(first.at(-1)!.type).toBe('visited')
    expect(remaining(cells, first, experiment({ repeat: 3 }))).toBe(5 * 20)
  })

  test('is that of a typical visit, where n8n died again and again in one', () => {
    const at = [60, 360, 420].map((seconds) => T0 + seconds * 1000)
    const records: RunRecord[] = [
      run(),
      ...at.map((end, index): RunRecord => ({ type: 'visited', at: end, cell: index % 2, repeat: 1 })),
    ]
    expect(remaining(cells, records, experiment({ repeat: 3 }))).toBe(3 * 60)
  })

  test('of cells side by side counts their common time once', () => {
    const records: RunRecord[] = [
      run(),
      ...cells.map(({ number }): RunRecord => ({ type: 'visited', at: T0 + 60_000, cell: number, repeat: 1 })),
    ]
    expect(remaining(cells, records, experiment({ repeat: 2 }))).toBe(60)
  })

  test('is never more than the time that was given', () => {
    const { records, asked } = follow([20, 100, 500], asking({ budget: 600 }))
    const three = records.slice(
      0,
      1 + records.findLastIndex((record) => record.type === 'visited' && record.repeat === 3),
    )
    expect(remaining(cells, three, asked)).toBeLessThanOrEqual(600 - 6 * 60)
  })
})
