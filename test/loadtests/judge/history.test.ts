import { gateOf, measuredOf, usualBounds } from '../../../loadtests/src/judge/gate.ts'
import { historyOf } from '../../../loadtests/src/judge/history.ts'
import { threeOfTen } from '../fixtures/history.ts'

const runs = threeOfTen()

test('runs are in the order in which they began, whatever their order on the command line', () => {
  const { runs: kept } = historyOf(runs.toReversed())
  expect(kept.map(({ id }) => id)).toEqual(runs.map(({ id }) => id))
})

test('each pair says what compare --against says', () => {
  const { pairs } = historyOf(runs)
  expect(pairs).toHaveLength(45)
  const [earlier, later] = [runs[2]!, runs[7]!]
  const asked = {
    bounds: usualBounds,
    earlier: {
      id: earlier.id,
      calibration: earlier.environment.calibration?.rate ?? null,
      results: earlier.results.map(measuredOf),
    },
  }
  const { rate = null } = later.environment.calibration ?? {}
  expect(pairs.find((pair) => pair.earlier === earlier.id && pair.later === later.id)!.gate).toEqual(
    gateOf(asked, later.results, later.experiment.variants, rate),
  )
})

test('what changed between two runs has its old and its new value', () => {
  const { pairs } = historyOf(runs)
  const between = (a: number, b: number) =>
    pairs.find(({ earlier, later }) => earlier === runs[a]!.id && later === runs[b]!.id)!.changed
  expect(between(0, 3)).toEqual([])
  expect(between(0, 1)).toEqual([{ what: 'image.tag', from: '2.40.0', to: '2.41.1' }])
  expect(between(1, 2)).toEqual([{ what: 'main.heap.megabytes', from: undefined, to: 1200 }])
})
