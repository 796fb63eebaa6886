import type { Worth } from '../../../model/summary.ts'
import { roughly } from '../../../lib/figures.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'

/** What each setting is worth, under each workflow, the most valuable first. */
export function worth({ summary }: Page): Markup | null {
  if (summary.worth.length === 0) return null
  const byWorkflow = [...Map.groupBy(summary.worth, ({ workflow }) => workflow)]
  return html`<section class="evidence" aria-labelledby="worth">
<h2 id="worth">What each setting is worth</h2>
<p class="note">${summary.worth.some(({ measure }) => measure === 'capacity') ? carried : taken}</p>
${byWorkflow.map(
  ([workflow, all]) => html`<h3>${workflow}</h3>
${table(`Worth of the settings under ${workflow}`, columns, all.map(row))}`,
)}
</section>`
}

const columns = ['Setting', 'Worth', 'Give or take', 'In words']

const row = ({ setting, measure, share, within, text }: Worth): string[] => [
  setting,
  signed(share, measure),
  within === null ? '–' : roughly(within),
  text.replace(`${setting}: `, ''),
]

/** More capacity is better, and less of what a load takes. */
function signed(share: number | null, measure: Worth['measure']): string {
  if (share === null) return '–'
  return `${share > 0 === (measure === 'capacity') ? '+' : '−'}${roughly(Math.abs(share))}${units[measure]}`
}

const units = { capacity: '', cpu: ' CPU', p95: ' p95', memory: ' memory' }

const carried =
  'How much more n8n carries with the setting than without it, all other settings the same, ± the repeats’ spread.'
const taken =
  'How much less, or more, the load takes with the setting than without it, all other settings the same: the mean over '
  + 'the rounds ± its 95 % confidence interval. Where both n8n run at once on the same cores, each also waits for '
  + 'the other. Their p95 then differ by less than they would one after the other.'
