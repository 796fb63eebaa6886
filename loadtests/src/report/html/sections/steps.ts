import { count, figure, latency, rate } from '../../../lib/figures.ts'
import { short } from '../../labels.ts'
import { errorShare } from '../../peak.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { headOf } from '../table.ts'
import type { Result } from '../../../model/result.ts'
import type { Step } from '../../../model/step.ts'

const COLUMNS = [
  'Repeat',
  'Load',
  'Verdict',
  'Answered',
  'p50',
  'p95',
  'p99',
  'Errors',
  'Accepted',
  'Finished',
  'Failed',
  'Waiting',
  'Lost',
  'Unsent',
]

/** Every step, for those who want to check the rest of the page. */
export function steps(results: Result[], workflow: string, page: Page): Markup | null {
  const number = results.reduce((sum, result) => sum + result.steps.length, 0)
  if (number === 0) return null
  return html`<details>
<summary>All ${count(number)} steps of ${workflow}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Steps of ${workflow}">
<table class="steps">
${headOf(COLUMNS)}
${results
  .filter((result) => result.steps.length > 0)
  .map(
    (result) => html`<tbody>
<tr><th scope="rowgroup" colspan="${COLUMNS.length}">${page.name(result)}</th></tr>
${result.steps.map(row)}</tbody>
`,
  )}</table>
</div>
</details>`
}

function row(step: Step): Markup {
  const { load, accounting } = step
  const { p50 = null, p95 = null, p99 = null } = load.latency ?? {}
  const numbers = [
    accounting.accepted,
    accounting.finished,
    accounting.failed,
    accounting.waiting,
    accounting.lost,
    load.dropped,
  ]
  const warmUp = step.purpose === 'warm-up'
  const asked = load.rate === null ? `${figure(load.vus ?? 0)} clients` : rate(load.rate)
  const cells = [
    html`<td>${warmUp ? 'warm-up' : step.repeat}</td><td>${asked}</td>`,
    verdict(step),
    html`<td>${rate(load.throughput)}</td>`,
    ...[p50, p95, p99].map((value) => html`<td>${value === null ? '–' : latency(value)}</td>`),
    html`<td${failures(load.failures)}>${errorShare(load)}</td>`,
    ...numbers.map((value) => html`<td>${value === null ? '–' : count(value)}</td>`),
  ]
  return html`<tr${warmUp && html` class="warm"`}>${cells}</tr>
`
}

function failures(kinds: Record<string, number>): Markup | null {
  const all = Object.entries(kinds).map(([kind, number]) => `${count(number)} × ${kind}`)
  return all.length === 0 ? null : html` title="${all.join(', ')}"`
}

function verdict(step: Step): Markup {
  if (step.holds) return html`<td class="held">held</td>`
  return html`<td class="broke">${step.reasons.map((reason) => short(reason.code)).join(', ') || 'broke'}</td>`
}
