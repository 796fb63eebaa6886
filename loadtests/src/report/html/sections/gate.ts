import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import type { Gate } from '../../../model/gate.ts'

const MARKS = { better: 'good', passed: 'good', worse: 'bad', unsure: 'unsure' }

/** Whether anything got worse, against an earlier run or the first variant. */
export function gate({ summary: { gate: asked } }: Page): Markup | null {
  if (!asked) return null
  const verdicts = asked.verdicts.map(
    ({ verdict, text }) => html`<li><span class="pill ${MARKS[verdict]}">${verdict}</span> ${text}</li>`,
  )
  return html`<section aria-labelledby="gate">
<h2 id="gate">Against ${against(asked)}</h2>
<p class="sentence">${judged(asked)}${asked.warning && ` ${asked.warning}`}</p>
<p class="note">${meaning}</p>
<ul class="advice">${verdicts}</ul>
</section>`
}

/** The same in one line, for the first screen. */
export function gateInShort({ summary: { gate: asked } }: Page): Markup | null {
  if (!asked) return null
  const worst = (['worse', 'unsure'] as const).find((mark) => asked.verdicts.some(({ verdict }) => verdict === mark))
  const pill = html`<span class="pill ${MARKS[worst ?? 'passed']}">${worst ?? 'passed'}</span>`
  return html`<p class="sentence">${pill} <a href="#gate">Against ${against(asked)}</a>: ${judged(asked)}</p>`
}

const against = (asked: Gate): string => asked.against ?? 'the first variant'

function judged({ verdicts }: Gate): string {
  const worse = verdicts.filter(({ verdict }) => verdict === 'worse').length
  const unsure = verdicts.filter(({ verdict }) => verdict === 'unsure').length
  if (worse > 0) return `${worse} of ${verdicts.length} figures got worse.`
  if (unsure > 0) return `Nothing got worse as far as can be said; ${unsure} of ${verdicts.length} figures are unsure.`
  return 'Nothing got worse.'
}

const meaning =
  'Worse: beyond the bound by more than chance explains. Passed: within the bound even at the worst end of the '
  + 'interval.'
