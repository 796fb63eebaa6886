import { latency, rate } from '../../../lib/figures.ts'
import { died } from '../../advice.ts'
import { short } from '../../labels.ts'
import { SERIES } from '../colours.ts'
import { html, type Markup } from '../escape.ts'
import type { LatencyChart, Page } from '../page.ts'
import { key } from './key.ts'
import type { Result } from '../../../model/result.ts'
import type { Step } from '../../../model/step.ts'

const FAR_APART = 6

/** Where the curve turns up is where n8n ends. */
export function loadAgainstLatency(results: Result[], id: string, page: Page): Markup | null {
  const { load, slo } = page.summary.experiment
  const searched = load.shape === 'search'
  const x = (step: Step): number => (searched ? (step.load.rate ?? 0) : step.load.throughput)
  const series: LatencyChart['series'] = results.map((result) => ({
    name: page.name(result),
    colour: page.colour(result),
    points: measured(result).map((step) => ({
      x: Number(x(step).toPrecision(4)),
      y: Number(step.load.latency!.p95.toPrecision(4)),
      state: step.holds ? 'held' : 'broke',
      // Of a process that died, only its quick answers were counted.
      onCurve: !died(step.reasons),
      note: note(step, searched),
    })),
  }))
  if (series.every(({ points }) => points.length === 0)) return null
  const chart = `${id}-latency`
  const furthest = series.flatMap(({ points }) =>
    points.length > 0 ? [Math.max(...points.map((point) => point.x))] : [],
  )
  const logarithmicX =
    Math.max(...furthest) > FAR_APART * Math.min(...furthest)
    && series.every(({ points }) => points.every((point) => point.x > 0))
  const someoneDied = series.some(({ points }) => points.some((point) => !point.onCurve))
  page.charts[chart] = {
    kind: 'latency',
    logarithmicX,
    xLabel: searched ? 'requests a second' : 'answers a second',
    objective: slo.p95,
    series,
  }
  const over = searched ? 'the rate asked for' : 'the rate of answers'
  const scales = `${logarithmicX ? 'both' : 'latency'} on a logarithmic scale`
  const caption = [
    `95th percentile of latency over ${over}, ${scales}; a mark a step.`,
    `The dashed line is the objective of ${latency(slo.p95)}.`,
    ...(someoneDied
      ? ['Marks off the line are steps in which a process died: only its quick answers were counted.']
      : []),
  ]
  return html`<h3 id="${chart}-title">Load against latency</h3>
<figure aria-labelledby="${chart}-title">
${key(
  results.map((result, index) => ({ name: page.name(result), colour: page.colour(result), dashed: index >= SERIES })),
  true,
)}
<div class="chart" id="${chart}" role="img" aria-label="${described(results, page)}"></div>
<figcaption>${caption.join(' ')}</figcaption>
</figure>`
}

const measured = (result: Result): Step[] =>
  result.steps.filter((step) => step.purpose === 'measure' && step.load.latency !== null && step.load.latency.p95 > 0)

function note(step: Step, searched: boolean): string {
  const asked = searched ? `${rate(step.load.rate ?? 0)} asked, ` : ''
  const why = step.reasons.map((reason) => short(reason.code)).join(', ')
  return (
    `${asked}${rate(step.load.throughput)} answered, p95 ${latency(step.load.latency!.p95)}: `
    + `${step.holds ? 'held' : why || 'broke'}`
  )
}

function described(results: Result[], page: Page): string {
  return results
    .map((result) => {
      const steps = measured(result)
      if (steps.length === 0) return `${page.name(result)}: no step with an answer.`
      const held = steps.filter((step) => step.holds).length
      const times = steps.map((step) => step.load.latency!.p95)
      return (
        `${page.name(result)}: ${steps.length} steps, ${held} held, p95 from `
        + `${latency(Math.min(...times))} to ${latency(Math.max(...times))}.`
      )
    })
    .join(' ')
}
