import { tiersOf } from '../../tiers.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What each configuration gives up for what it carries. */
export function tiers({ summary }: Page): Markup | null {
  const told = tiersOf(summary)
  if (told.length === 0) return null
  return html`<section aria-labelledby="tiers">
<h2 id="tiers">What each configuration gives up</h2>
<ul>${told.map((each) => html`<li>${each}</li>`)}</ul>
</section>`
}
