import { offBy, untilEnough } from '../../../loadtests/src/run/enough.ts'
import { cell, run, step, T0 } from '../fixtures/records.ts'
import { asking, cells, follow } from '../fixtures/followed.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

test('repeats that agree are enough after a few', () => {
  const { rounds } = follow([100, 101, 102])
  expect(rounds).toBeGreaterThanOrEqual(3)
  expect(rounds).toBeLessThanOrEqual(8)
})

test('repeats that lie apart are measured again, until their mean is known as well as asked', () => {
  const { rounds, records, asked } = follow([60, 100, 140], asking({ within: 0.6, budget: 1e6 }))
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
