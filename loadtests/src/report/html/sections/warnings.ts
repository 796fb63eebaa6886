import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What makes the figures worth less, said before anyone relies on them. */
export function warnings({ summary }: Page): Markup | null {
  const { warnings: recorded } = summary.environment
  const all = [
    ...(summary.outcome === 'interrupted'
      ? ['The run was interrupted: this is a partial report of what was measured until then.']
      : []),
    ...(summary.outcome === 'failed'
      ? ['The run failed: this is a partial report of what was measured until then.']
      : []),
    ...recorded,
  ]
  if (all.length === 0) return null
  return html`<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Before you rely on this</h2>
<ul>${all.map((warning) => html`<li>${warning}</li>`)}</ul>
</section>`
}
