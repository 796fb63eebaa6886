import { setAsideHead, setAsideIntro, setAsideRows, setAsideTitle } from '../../set-aside.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'

/** What of the user's values was not measured. */
export function setAside({ summary }: Page): Markup | null {
  const { setAside: all = [] } = summary
  if (all.length === 0) return null
  return html`<section class="evidence" aria-labelledby="set-aside">
    <h2 id="set-aside">${setAsideTitle}</h2>
    <p>${setAsideIntro}</p>
    ${table('Values that were set aside', setAsideHead, setAsideRows(all))}
  </section>`
}
