import type { Result } from '../model/result.ts'
import { figure, latency, perSecond, roughly } from '../lib/figures.ts'
import { isRecommended } from '../judge/answer.ts'
import { note, type Block, type Square } from './document.ts'
import { brokeBy } from './labels.ts'
import type { Page } from './page.ts'

type Choice = { path: string; value: unknown }
type Dimension = [path: string, values: unknown[]]

/** A matrix as maps: two of its dimensions across and down, a map for each combination of the others. */
export function matrices(results: Result[], id: string, page: Page): Block[] {
  const dimensions = Object.entries(page.summary.experiment.matrix)
    .filter(([, values]) => values.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
  const [across, down, ...others] = dimensions
  if (!across || !down) return []
  const rest = others.reduce<Choice[][]>(
    (all, [path, values]) => all.flatMap((chosen) => values.map((value) => [...chosen, { path, value }])),
    [[]],
  )
  const variants = [...new Set(results.map(({ variant }) => variant))]
  const shade = shades(results, page)
  const maps = variants.flatMap((variant) =>
    rest.flatMap((chosen): Block[] => {
      const own = results.filter(
        (result) => result.variant === variant && chosen.every(({ path, value }) => same(result.cell[path], value)),
      )
      const title = [
        ...(variants.length > 1 ? [variant] : []),
        ...chosen.map(({ path, value }) => `${path} ${written(value)}`),
      ].join(', ')
      return own.length > 0 ? [map(own, title, { across, down }, (result) => square(result, shade, page))] : []
    }),
  )
  const squares = isGiven(page)
    ? 'Price, and whether the rate was sustained, with p99 and the spread of the repeats; darker is dearer.'
    : 'Capacity, with p99 and the spread of the repeats; darker is more.'
  return [
    { kind: 'heading', id: `${id}-map`, text: 'The matrix', on: ['html'] },
    { ...note(`${squares} Across: ${across[0]}. Down: ${down[0]}.`), on: ['html'] },
    ...maps,
  ]
}

/** Whether all were asked for one rate: then they differ in their price. */
const isGiven = ({ summary }: Page) => summary.experiment.load.shape === 'constant'

function map(
  results: Result[],
  title: string,
  { across: [across, columns], down: [down, rows] }: { across: Dimension; down: Dimension },
  squareOf: (result: Result | undefined) => Square,
): Block {
  const at = (row: unknown, column: unknown) =>
    results.find((result) => same(result.cell[down], row) && same(result.cell[across], column))
  return {
    kind: 'matrix',
    label: `Matrix ${title || 'of all cells'}, ${results[0]!.workflow}`,
    title: title || `${down} × ${across}`,
    corner: `${last(down)} ╲ ${last(across)}`,
    across: columns.map(written),
    rows: rows.map((row) => ({ name: written(row), squares: columns.map((column) => squareOf(at(row, column))) })),
  }
}

function square(result: Result | undefined, shade: (result: Result) => number, page: Page): Square {
  if (!result || result.steps.length === 0) return { text: 'not measured', shade: 'none' }
  const { capacity, cost } = result
  const p99 = median(decisive(result).flatMap(({ load }) => (load.latency ? [load.latency.p99] : [])))
  const note = [p99 !== null && `p99 ${latency(p99)}`, capacity?.spread != null && `spread ${roughly(capacity.spread)}`]
    .filter(Boolean)
    .join(', ')
  const price = isGiven(page) && cost !== null ? figure(cost) : null
  if (!capacity || !result.verdict.holds)
    return { text: `${price === null ? '' : `${price}: `}${brokeBy(result) ?? 'no rate'}`, note, shade: 'missed' }
  const best = isRecommended(result, page.summary)
  return { text: price ?? perSecond(capacity.rate), note, best, shade: shade(result) }
}

/** The steps on which the result stands. */
function decisive(result: Result): Result['steps'] {
  const all = result.steps.filter(({ purpose }) => purpose === 'measure')
  const held = all.filter(
    (step) => step.holds && (step.load.rate === null || result.capacity?.repeats.includes(step.load.rate)),
  )
  return held.length > 0 ? held : all
}

/** One to five, by the figure's place between the least and the most. */
function shades(results: Result[], page: Page): (result: Result) => number {
  const value = ({ capacity, cost }: Result) => (isGiven(page) ? cost : capacity?.rate) ?? 0
  const all = results.filter(({ verdict }) => verdict.holds).map(value)
  const [least, most] = [Math.min(...all), Math.max(...all)]
  return (result) => (most > least ? 1 + Math.round(((value(result) - least) / (most - least)) * 4) : 1)
}

const median = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const last = (path: string) => path.split('.').at(-1)!
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
