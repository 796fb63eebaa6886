import { outsideHead, outsideRows, outsideSentences } from '../../outside.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'

/** What the workflows asked of others while something stood in for those. */
export function outside({ summary }: Page): Markup | null {
  const told = outsideSentences(summary)
  if (told.length === 0) return null
  const rows = outsideRows(summary)
  return html`<section class="evidence" aria-labelledby="outside">
    <h2 id="outside">What n8n asked of others</h2>
    ${told.map((sentence) => html`<p>${sentence}</p>`)}
    ${rows.length > 0 && table('Calls of n8n to others', outsideHead, rows)}
  </section>`
}
