import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

const MARKS = { better: 'good', passed: 'good', worse: 'bad', unsure: 'unsure' }

/** Whether anything got worse, against an earlier run or the first variant. */
export function gate({ summary: { gate: asked } }: Page): Markup | null {
  if (!asked) return null
  const worse = asked.verdicts.filter(({ verdict }) => verdict === 'worse').length
  const unsure = asked.verdicts.filter(({ verdict }) => verdict === 'unsure').length
  const answer =
    worse > 0
      ? `${worse} of ${asked.verdicts.length} figures got worse.`
      : unsure > 0
        ? `Nothing got worse as far as can be said; ${unsure} of ${asked.verdicts.length} figures are unsure.`
        : 'Nothing got worse.'
  return html`<section aria-labelledby="gate">
<h2 id="gate">Against ${asked.against ?? 'the first variant'}</h2>
<p class="sentence">${answer}${asked.warning && ` ${asked.warning}`}</p>
<p class="note">Worse is beyond the bound and beyond what chance makes of it; passed is not beyond it even if the figure is off by as much as it may be.</p>
<ul class="advice">${asked.verdicts.map(({ verdict, text }) => html`<li><span class="pill ${MARKS[verdict]}">${verdict}</span> ${text}</li>`)}</ul>
</section>`
}
