import { stringify } from 'yaml'
import { installing } from '../../commands.ts'
import { isAlone } from '../../sentences.ts'
import { unanswered } from '../../values.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What to do with the answer. */
export function settings(page: Page): Markup {
  const { recommendation, environment } = page.summary
  const command = installing(page.folder, environment)
  if (!recommendation) {
    return html`<section aria-labelledby="settings">
<h2 id="settings">No settings to recommend</h2>
<p>${unanswered(page.summary)}</p>
</section>`
  }
  return html`<section aria-labelledby="settings">
<h2 id="settings">${isAlone(page.summary) ? 'Settings' : `Settings to use: ${page.name(recommendation)}`}</h2>
${isAlone(page.summary) ? html`<p>${measured(page)}</p>` : html`<p>${recommendation.why}</p>`}
${
  Object.keys(recommendation.values).length === 0
    ? html`<p>They are the chart’s own defaults: no value needs to be set.</p>`
    : html`<pre tabindex="0" aria-label="Helm values"><code>${stringify(recommendation.values)}</code></pre>`
}
<p class="note">The same values are in <code>values.yaml</code> beside this report. In the repository’s folder:</p>
<pre tabindex="0" aria-label="Command that installs them"><code>${command}</code></pre>
</section>`
}

const measured = ({ summary: { setAside = [] } }: Page) =>
  `These are the values that were measured${setAside.length ? ', but for those set aside' : ''}.`
