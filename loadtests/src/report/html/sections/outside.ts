import { outsideHead, outsideRows, outsideSentences } from '../../outside.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What the workflows asked of others while something stood in for those. */
export function outside({ summary }: Page): Markup | null {
  const told = outsideSentences(summary)
  if (told.length === 0) return null
  const rows = outsideRows(summary)
  return html`<section class="evidence" aria-labelledby="outside">
    <h2 id="outside">What n8n asked of others</h2>
    ${told.map((sentence) => html`<p>${sentence}</p>`)}
    ${
      rows.length > 0
      && html`<div class="scroll" tabindex="0" role="region" aria-label="Calls of n8n to others">
        <table>
          <thead>
            <tr>
              ${outsideHead.map((head) => html`<th scope="col">${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([first, ...cells]) =>
                html`<tr>
                  <th scope="row">${first}</th>
                  ${cells.map((cell) => html`<td>${cell}</td>`)}
                </tr> `,
            )}
          </tbody>
        </table>
      </div>`
    }
  </section>`
}
