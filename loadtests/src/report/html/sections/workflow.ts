import { told } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { capacities } from './capacity.ts'
import { explained } from './explained.ts'
import { heatmaps } from './heatmap.ts'
import { loadAgainstLatency } from './latency.ts'
import { queue } from './queue.ts'
import { overTime } from './resources.ts'
import { steps } from './steps.ts'

/** Readers skip a longer list of sentences. */
const MANY = 6

/** Everything about one workflow stands together, so that no figure can be taken for another's. */
export function underWorkflow(workflow: string, index: number, page: Page): Markup {
  const results = page.summary.results.filter((result) => result.workflow === workflow)
  const id = `workflow-${index}`
  if (results.length === 0) {
    return html`<section id="${id}" class="evidence" aria-labelledby="${id}-title">
<h2 id="${id}-title">${workflow}</h2>
<p>Not measured: the run ended before.</p>
</section>`
  }
  const comparisons = page.summary.comparison.filter((comparison) => comparison.workflow === workflow)
  const compared = comparisons.length > 0 && comparisons.length <= MANY
  const sentences = compared
    ? // Under its own heading the sentence need not begin with the workflow's name.
      comparisons.map((comparison) => comparison.text.replace(`${workflow}: `, ''))
    : (results.length <= MANY ? results : [page.choice(workflow)])
        .filter((result) => result !== null)
        .map((result) => told(result, page.summary))
  return html`<section id="${id}" class="evidence" aria-labelledby="${id}-title">
<h2 id="${id}-title">${workflow}</h2>
${sentences.map((sentence) => html`<p class="sentence">${sentence}</p>`)}
${heatmaps(results, id, page)}
${capacities(results, id, page, { told: !compared && results.length <= MANY })}
${loadAgainstLatency(results, id, page)}
${queue(results, workflow, page)}
${explained(results, workflow, page)}
${overTime(results, id, page)}
${steps(results, workflow, page)}
</section>`
}
