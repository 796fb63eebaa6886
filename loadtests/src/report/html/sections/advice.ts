import { list } from '../../../lib/figures.ts'
import { toActOn } from '../../advice.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import type { Result } from '../../../model/result.ts'

/** What would raise each limit, said once with all to whom it applies. */
export function advice(page: Page): Markup | null {
  const given = page.summary.results.flatMap((result) =>
    toActOn(result).map((reason) => ({ advice: reason.advice, result })),
  )
  const grouped = [...Map.groupBy(given, (each) => each.advice)]
  if (grouped.length === 0) return null
  return html`<section aria-labelledby="advice">
<h2 id="advice">What to change next</h2>
<ul class="advice">${grouped.map(
    ([text, all]) =>
      html`<li>${text} <span class="note">${where(
        all.map((each) => each.result),
        page,
      )}</span></li>`,
  )}</ul>
</section>`
}

function where(results: Result[], page: Page): string {
  const byName = Map.groupBy(results, page.name)
  if (byName.size > 4) return `For ${byName.size} configurations.`
  const parts = [...byName].map(
    ([name, own]) => `${name} under ${list([...new Set(own.map((result) => result.workflow))])}`,
  )
  return `For ${list(parts)}.`
}
