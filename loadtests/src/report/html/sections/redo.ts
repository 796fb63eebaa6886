import { stringify } from 'yaml'
import { again } from '../../commands.ts'
import { environmentRows } from '../../environment.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** Enough to measure it again, here or elsewhere, and to know what may differ. */
export function redo({ summary, name }: Page): Markup {
  const logs = summary.results.flatMap(({ failure, ...result }) => {
    if (failure === null) return []
    const title = `The last lines of n8n’s log: ${name(result)} under ${result.workflow}`
    return [folded(title, 'Log', [failure.message, ...failure.log].join('\n'))]
  })
  return html`<section aria-labelledby="redo">
<h2 id="redo">Redo it</h2>
<pre tabindex="0" aria-label="Command"><code>${again(summary.command)}</code></pre>
<dl>${environmentRows(summary).map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl>
${folded('The profile', 'Profile', stringify(summary.experiment))}
${logs}
</section>`
}

const folded = (title: string, label: string, text: string): Markup =>
  html`<details><summary>${title}</summary><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre></details>`
