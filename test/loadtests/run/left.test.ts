import { loadProfile } from '../../../loadtests/src/model/profile.ts'
import { secondsLeft } from '../../../loadtests/src/run/left.ts'
import { cell, experiment, run, T0 } from '../fixtures/records.ts'
import { asking, cells, cellsWith, follow } from '../fixtures/followed.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import type { Experiment } from '../../../loadtests/src/model/experiment.ts'

/** What is left when the last record was written. */
const leftAfter = (records: RunRecord[], asked: Experiment) => secondsLeft(cells, records, asked, records.at(-1)!.at)

describe('before a visit has ended', () => {
  const asked = experiment({ load: { shape: 'constant', rate: 5, duration: 55, timeout: 30 } })

  test('its load says how long each takes', () => {
    expect(leftAfter([run()], asked)).toBe(2 * 112)
  })

  test('an n8n with less than a core is warmed up for longer', () => {
    expect(secondsLeft(cellsWith(0.5), [run()], asked, T0)).toBe(2 * (112 + 7 * 4))
    expect(secondsLeft(cellsWith(0.1), [run()], asked, T0)).toBe(2 * (112 + 7 * 12))
  })

  test('the time since it began is no longer left', () => {
    expect(secondsLeft(cells, [run(), cell(0)], asked, T0 + 40_000)).toBe(72 + 112)
  })

  test('one that takes longer than planned is near its end', () => {
    expect(secondsLeft(cells, [run(), cell(0)], asked, T0 + 400_000)).toBeCloseTo(11.2 + 112)
  })

  test('cells that take turns count together', () => {
    expect(secondsLeft(cells, [run(), cell(0), cell(1)], asked, T0 + 40_000)).toBe(184)
  })

  test('a rate that is held afterwards counts', () => {
    const held = experiment({ load: asked.load, hold: { for: 600, share: 0.7 } })
    expect(leftAfter([run()], held)).toBe(2 * 112 + 2 * 657)
  })

  test('nothing tells how long a fault takes', () => {
    expect(leftAfter([run()], { ...asked, faults: ['worker-killed'] })).toBeNull()
  })

  test('`make capacity` is told to take less than five minutes', async () => {
    const { experiment: capacity } = await loadProfile('loadtests/profiles/capacity.yaml')
    expect(leftAfter([run()], capacity)).toBeLessThanOrEqual(300)
  })
})

test('of a fixed number of repeats is as many visits as there are, each as long as until now', () => {
  const { records } = follow([100], asking({ budget: 30 }))
  expect(leftAfter(records, experiment({ repeat: 3 }))).toBe(4 * 60)
})

test('is right within a third after the first visit, where repeats agree', () => {
  const { records, asked } = follow([100, 101, 102])
  const first = records.slice(0, 1 + records.findIndex(({ type }) => type === 'visited'))
  expect(leftAfter(first, asked)! / (5 * 60)).toBeCloseTo(1, 0)
})

test('does not take the installing of n8n for the time of each visit', () => {
  const { records } = follow([100], asking({ budget: 30 }))
  const ready: RunRecord = { type: 'event', at: T0 + 40_000, cell: 0, process: 'main-0', kind: 'ready' }
  const first = [...records.slice(0, 2), ready, ...records.slice(2, 5)]
  expect(first.at(-1)!.type).toBe('visited')
  expect(leftAfter(first, experiment({ repeat: 3 }))).toBe(5 * 20)
})

test('is that of a typical visit, where n8n died again and again in one', () => {
  const at = [60, 360, 420].map((seconds) => T0 + seconds * 1000)
  const records: RunRecord[] = [
    run(),
    ...at.map((end, index): RunRecord => ({ type: 'visited', at: end, cell: index % 2, repeat: 1 })),
  ]
  expect(leftAfter(records, experiment({ repeat: 3 }))).toBe(3 * 60)
})

test('of cells that take turns counts their common time once', () => {
  const records: RunRecord[] = [
    run(),
    ...cells.map(({ number }): RunRecord => ({ type: 'visited', at: T0 + 60_000, cell: number, repeat: 1 })),
  ]
  expect(leftAfter(records, experiment({ repeat: 2 }))).toBe(60)
})

test('is never more than the time that was given', () => {
  const { records, asked } = follow([20, 100, 500], asking({ budget: 600 }))
  const three = records.slice(
    0,
    1 + records.findLastIndex((record) => record.type === 'visited' && record.repeat === 3),
  )
  expect(leftAfter(three, asked)).toBeLessThanOrEqual(600 - 6 * 60)
})
