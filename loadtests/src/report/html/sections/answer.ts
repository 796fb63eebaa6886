import type { Result } from '../../../analyse/summary.ts'
import { inSameCell } from '../../../shared/cell-key.ts'
import { duration, latency, rate, roughly } from '../../../support/figures.ts'
import { wasMeasured, workflowsOf } from '../../choice.ts'
import { moment } from '../../environment.ts'
import { brokeBy } from '../../labels.ts'
import { method } from '../../method.ts'
import { headline, objective } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** The question, its answer in a sentence, and a figure for every workflow. */
export function answer(page: Page): Markup {
  const { summary } = page
  const took = summary.endedAt ? `, ${duration(Date.parse(summary.endedAt) - Date.parse(summary.startedAt))}` : ''
  return html`<header class="answer">
<p class="kicker"><span>n8n-tuned capacity report</span><span>${summary.experiment.name}</span><span>${moment(summary.startedAt)}${took}</span>${summary.outcome !== 'complete' && html`<span class="pill bad">${summary.outcome}</span>`}</p>
<h1>${summary.experiment.question}</h1>
<p class="lead">${whole(headline(summary), workflowsOf(summary))}</p>
<p class="objective">Objective: ${objective(summary.experiment)}. Load: ${method(summary.experiment)}.</p>
${summary.comparison.every(({ takes }) => !takes?.length) && html`<ul class="cards">${workflowsOf(summary).map((workflow, index) => card(workflow, index, page))}</ul>`}
</header>`
}

function card(workflow: string, index: number, page: Page): Markup {
  const result = page.choice(workflow)
  return html`<li class="card"><a href="#workflow-${index}">${workflow}</a>${result ? figures(result, page) : missing(workflow, page)}</li>`
}

function figures(result: Result, page: Page): Markup {
  const { capacity, verdict } = result
  if (!capacity || !verdict.holds) {
    return html`<p class="figure bad">${capacity ? rate(capacity.rate) : 'none'}</p><p class="note">${page.name(result)}: ${brokeBy(result) ?? 'not measured'}</p>`
  }
  const details = [
    page.name(result),
    capacity.p95 !== null && `p95 ${latency(capacity.p95)}`,
    capacity.spread === null ? 'one run' : `spread ${roughly(capacity.spread)}`,
  ].filter((detail) => detail !== false)
  return html`<p class="figure">${rate(capacity.rate)}</p><p class="note">${details.join(' · ')}</p>${against(result, page)}`
}

/** The first variant under the same workflow: what the figure is to be held against. */
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
  return html`<p class="note">${name(baseline)}: ${figure}${broke && `, ${baseline.verdict.holds ? 'then' : 'but'} ${broke}`}</p>`
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
