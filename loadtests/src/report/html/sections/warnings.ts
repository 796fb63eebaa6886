import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What makes the figures worth less, said before anyone relies on them. */
export function warnings({ summary }: Page): Markup | null {
  const { limits, warnings: recorded } = summary.environment
  const all = [
    ...(summary.outcome === 'interrupted' ? ['The run was interrupted: this is a partial report of what was measured until then.'] : []),
    ...(summary.outcome === 'failed' ? ['The run failed: this is a partial report of what was measured until then.'] : []),
    ...(limits === 'not enforced' && !recorded.some((warning) => /not enforced/i.test(warning))
      ? ['CPU and memory limits were not enforced: n8n could use the whole machine, so the figures are not those of the limits in the values.']
      : []),
    ...recorded,
  ]
  if (all.length === 0) return null
  return html`<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Before you rely on this</h2>
<ul>${all.map((warning) => html`<li>${warning}</li>`)}</ul>
</section>`
}
