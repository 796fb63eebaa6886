import { duration, latency, rate } from '../../../lib/figures.ts'
import { wasMeasured, workflowsOf } from '../../choice.ts'
import { moment } from '../../environment.ts'
import { brokeBy } from '../../labels.ts'
import { method } from '../../method.ts'
import { between, headline, objective, runsOf } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { decision } from './decision.ts'
import { faultsInShort } from './faults.ts'
import { gateInShort } from './gate.ts'
import { warningsInShort } from './warnings.ts'
import { type Capacity, inSameCell, type Result } from '../../../model/result.ts'

/** The first screen: the question, its answer, a figure for every workflow, and what goes with a signature. */
export function answer(page: Page): Markup {
  const { summary } = page
  const workflows = workflowsOf(summary)
  // Side by side the sentence alone has the figures.
  const carried = summary.comparison.every(({ takes }) => !takes?.length)
  const cards = workflows.map((workflow, index) => card(workflow, index, page))
  return html`<header class="answer">
${kicker(page)}
<h1>${summary.experiment.question}</h1>
<p class="lead">${whole(headline(summary), workflows)}</p>
${gateInShort(page)}${faultsInShort(page)}
<p class="objective">Objective: ${objective(summary.experiment)}. Load: ${method(summary.experiment)}.</p>
${carried && html`<ul class="cards">${cards}</ul>`}
${decision(page)}
</header>`
}

function kicker(page: Page): Markup {
  const { experiment, startedAt, endedAt, outcome } = page.summary
  const took = endedAt ? `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))}` : ''
  const told = ['n8n-tuned capacity report', experiment.name, `${moment(startedAt)}${took}`]
  const partial = outcome !== 'complete' && html`<span class="pill bad">${outcome}</span>`
  return html`<p class="kicker">${told.map((each) => html`<span>${each}</span>`)}${partial}${warningsInShort(page)}</p>`
}

function card(workflow: string, index: number, page: Page): Markup {
  const result = page.choice(workflow)
  const told = result ? figures(result, page) : missing(workflow, page)
  return html`<li class="card"><a href="#workflow-${index}">${workflow}</a>${told}</li>`
}

function figures(result: Result, page: Page): Markup {
  const { capacity, verdict } = result
  if (!capacity || !verdict.holds) {
    const why = brokeBy(result) ?? 'not measured'
    return html`<p class="figure bad">${capacity ? rate(capacity.rate) : 'none'}</p>
<p class="note">${page.name(result)}: ${why}</p>`
  }
  const p95 = capacity.p95 === null ? [] : [`p95 ${latency(capacity.p95)}`]
  const unsure = verdict.unsure?.length ? [html`<span class="pill unsure">unsure</span>`] : []
  return html`<p class="figure">${rate(capacity.rate)} ${unsure}</p>
<p class="note">${[page.name(result), ...p95].join(' · ')}</p>
<p class="note">${sureness(capacity)}</p>${against(result, page)}`
}

/** Where the figure lies, and how that is known. */
function sureness(capacity: Capacity): string {
  const sides = between(capacity)
  if (sides === '' && capacity.repeats.length === 1) return 'one run, spread unknown'
  return [sides, runsOf(capacity)].filter(Boolean).join(' · ')
}

/** The first variant under the same workflow: what the figure is compared with. */
function against(result: Result, { summary, name }: Page): Markup | null {
  const comparison = summary.comparison.find(
    (each) => each.workflow === result.workflow && each.variant === result.variant && inSameCell(each, result),
  )
  const baseline =
    comparison
    && summary.results.find(
      (each) => each.workflow === result.workflow && each.variant === comparison.baseline && inSameCell(each, result),
    )
  if (!baseline) return null
  const broke = brokeBy(baseline)
  const figure = baseline.capacity ? rate(baseline.capacity.rate) : 'none'
  const then = broke && `, ${baseline.verdict.holds ? 'then' : 'but'} ${broke}`
  return html`<p class="note">${name(baseline)}: ${figure}${then}</p>`
}

/** Workflow names hold hyphens, at which a browser would break them. */
function whole(text: string, workflows: string[]): Array<Markup | string> {
  return text
    .split(/(?<= )/)
    .map((word) =>
      workflows.some((workflow) => word.startsWith(workflow))
        ? html`<span class="whole">${word.trimEnd()}</span>${word.endsWith(' ') && ' '}`
        : word,
    )
}

function missing(workflow: string, page: Page): Markup {
  return wasMeasured(workflow, page.summary)
    ? html`<p class="figure bad">none</p><p class="note">Nothing met the objective.</p>`
    : html`<p class="figure" aria-hidden="true">–</p><p class="note">Not measured.</p>`
}
