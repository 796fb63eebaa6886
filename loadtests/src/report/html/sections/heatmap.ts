import { figure, latency, rate, roughly } from '../../../lib/figures.ts'
import { isRecommended } from '../../choice.ts'
import { brokeBy } from '../../labels.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { headOf } from '../table.ts'
import type { Result } from '../../../model/result.ts'

type Choice = { path: string; value: unknown }

/** A matrix as a map: two of its dimensions across and down, a map for each combination of the others. */
export function heatmaps(results: Result[], id: string, page: Page): Markup | null {
  const dimensions = Object.entries(page.summary.experiment.matrix)
    .filter(([, values]) => values.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
  if (dimensions.length < 2) return null
  const [across, down, ...others] = dimensions as [[string, unknown[]], [string, unknown[]], ...[string, unknown[]][]]
  const rest = others.reduce<Choice[][]>(
    (all, [path, values]) => all.flatMap((chosen) => values.map((value) => [...chosen, { path, value }])),
    [[]],
  )
  const variants = [...new Set(results.map(({ variant }) => variant))]
  const shade = shades(results, page)
  const maps = variants.flatMap((variant) =>
    rest.map((chosen) => {
      const own = results.filter(
        (result) => result.variant === variant && chosen.every(({ path, value }) => same(result.cell[path], value)),
      )
      const title = [
        ...(variants.length > 1 ? [variant] : []),
        ...chosen.map(({ path, value }) => `${path} ${written(value)}`),
      ].join(', ')
      return own.length > 0 && map(own, title, across, down, shade, page)
    }),
  )
  const given = page.summary.experiment.load.shape === 'constant'
  const squares = given
    ? 'Price, and whether the rate was carried, with p99 and the spread of the repeats; darker is dearer.'
    : 'Capacity, with p99 and the spread of the repeats; darker is more.'
  return html`<h3 id="${id}-map">The matrix</h3>
<p class="note">${squares} Across: ${across[0]}. Down: ${down[0]}.</p>
${maps}`
}

function map(
  results: Result[],
  title: string,
  [across, columns]: [string, unknown[]],
  [down, rows]: [string, unknown[]],
  shade: (result: Result) => number,
  page: Page,
): Markup {
  const cell = (row: unknown, column: unknown) =>
    results.find((result) => same(result.cell[down], row) && same(result.cell[across], column))
  const label = `Matrix ${title || 'of all cells'}, ${results[0]!.workflow}`
  const lines = rows.map((row) => {
    const squares = columns.map((column) => square(cell(row, column), shade, page))
    return html`<tr><th scope="row">${written(row)}</th>${squares}</tr>`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table class="map">
<caption>${title || `${down} × ${across}`}</caption>
${headOf([`${last(down)} ╲ ${last(across)}`, ...columns.map(written)])}
<tbody>${lines}</tbody>
</table>
</div>`
}

function square(result: Result | undefined, shade: (result: Result) => number, page: Page): Markup {
  if (!result || result.steps.length === 0) return html`<td class="none">not measured</td>`
  const { capacity, cost } = result
  const given = page.summary.experiment.load.shape === 'constant'
  const best = isRecommended(result, page.summary) && html` <span class="pill good">recommended</span>`
  const p99 = median(measured(result).flatMap(({ load }) => (load.latency ? [load.latency.p99] : [])))
  const notes = [
    p99 !== null && `p99 ${latency(p99)}`,
    capacity?.spread != null && `spread ${roughly(capacity.spread)}`,
  ]
    .filter(Boolean)
    .join(', ')
  const price = given && cost !== null ? figure(cost) : null
  const note = html`<span class="note">${notes}</span>`
  if (!capacity || !result.verdict.holds)
    return html`<td class="missed">${price && `${price}: `}${brokeBy(result) ?? 'no rate'}${note}</td>`
  return html`<td class="h${shade(result)}">${price ?? rate(capacity.rate)}${best}${note}</td>`
}

/** The steps on which the result stands. */
function measured(result: Result): Result['steps'] {
  const all = result.steps.filter(({ purpose }) => purpose === 'measure')
  const held = all.filter(
    (step) => step.holds && (step.load.rate === null || result.capacity?.repeats.includes(step.load.rate)),
  )
  return held.length > 0 ? held : all
}

/** One to five, by the figure's place between the least and the most. */
function shades(results: Result[], { summary }: Page): (result: Result) => number {
  const value = ({ capacity, cost }: Result) =>
    (summary.experiment.load.shape === 'constant' ? cost : capacity?.rate) ?? 0
  const all = results.filter(({ verdict }) => verdict.holds).map(value)
  const [least, most] = [Math.min(...all), Math.max(...all)]
  return (result) => (most > least ? 1 + Math.round(((value(result) - least) / (most - least)) * 4) : 1)
}

function median(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const last = (path: string) => path.split('.').at(-1)!
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
