import { stringify } from 'yaml'
import { again } from '../../commands.ts'
import { environmentRows } from '../../environment.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** Enough to measure it again, here or elsewhere, and to know what may differ. */
export function redo({ summary, name }: Page): Markup {
  const failures = summary.results.filter((result) => result.failure !== null)
  return html`<section aria-labelledby="redo">
<h2 id="redo">Redo it</h2>
<pre tabindex="0" aria-label="Command"><code>${again(summary.command)}</code></pre>
<dl>${environmentRows(summary).map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl>
<details><summary>The profile</summary><pre tabindex="0" aria-label="Profile"><code>${stringify(summary.experiment)}</code></pre></details>
${failures.map((result) => html`<details><summary>The last lines of n8n’s log: ${name(result)} under ${result.workflow}</summary><pre tabindex="0" aria-label="Log"><code>${[result.failure!.message, ...result.failure!.log].join('\n')}</code></pre></details>`)}
</section>`
}
