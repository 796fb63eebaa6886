import type { Result } from '../../../analyse/summary.ts'
import { waitHead, waitRows } from '../../waits.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** In queue mode: how long executions waited to begin, and how long they then ran. */
export function queue(results: Result[], workflow: string, page: Page): Markup | null {
  const rows = waitRows(results, page.name)
  if (rows.length === 0) return null
  return html`<h3>In the queue</h3>
<p class="note">At the highest load that held: from an execution’s acceptance to its beginning, and from there to its end, by n8n’s database. A long wait with jobs in the queue calls for more workers or concurrency; without, for more CPU where requests arrive. A long run calls for more CPU of the workers or a lighter workflow.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Queue of ${workflow}">
<table>
<thead><tr>${waitHead.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table>
</div>`
}
