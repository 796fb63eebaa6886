import { operatingSentences } from '../../operating.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What to run each configuration at: a share of what it carries, held for minutes where that was asked. */
export function operating({ summary }: Page): Markup | null {
  const told = operatingSentences(summary)
  if (told.length === 0) return null
  return html`<section aria-labelledby="operating">
<h2 id="operating">What to run it at</h2>
${told.map((sentence) => html`<p>${sentence}</p>`)}
</section>`
}
