import type { Summary } from '../../../model/summary.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What makes the figures worth less. A reader sees it before the figures. */
export function warnings({ summary }: Page): Markup | null {
  const all = warningsOf(summary)
  if (all.length === 0) return null
  return html`<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Before you rely on this</h2>
<ul>${all.map((warning) => html`<li>${warning}</li>`)}</ul>
</section>`
}

/** That there are any, for the first screen. */
export function warningsInShort({ summary }: Page): Markup | null {
  const { length } = warningsOf(summary)
  if (length === 0) return null
  return html`<a class="pill unsure" href="#warnings">${length === 1 ? '1 warning' : `${length} warnings`}</a>`
}

function warningsOf({ outcome, environment }: Summary): string[] {
  const ended = { interrupted: 'was interrupted', failed: 'failed', complete: null }[outcome]
  const partial = ended ? [`The run ${ended}: this is a partial report of what was measured until then.`] : []
  return [...partial, ...environment.warnings]
}
