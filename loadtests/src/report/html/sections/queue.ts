import { waitHead, waitRows } from '../../waits.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'
import type { Result } from '../../../model/result.ts'

/** In queue mode: how long executions waited to begin, and how long they then ran. */
export function queue(results: Result[], workflow: string, page: Page): Markup | null {
  const rows = waitRows(results, page.name)
  if (rows.length === 0) return null
  return html`<h3>In the queue</h3>
<p class="note">${about}</p>
${table(`Queue of ${workflow}`, waitHead, rows)}`
}

const about =
  'At the highest load that held: from an execution’s acceptance to its beginning, and from there to its end, by '
  + 'n8n’s database. A long wait with jobs in the queue calls for more workers or concurrency; without, for more CPU '
  + 'where requests arrive. A long run calls for more CPU of the workers or a lighter workflow.'
