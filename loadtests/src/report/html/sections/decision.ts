import { list } from '../../../lib/figures.ts'
import { toldOf } from '../../choice.ts'
import { headroomOf, type Told } from '../../headroom.ts'
import { identityOf } from '../../identity.ts'
import { nextToBreak } from '../../next.ts'
import { ofTier, tiersOf } from '../../tiers.ts'
import { toSet } from '../../to-set.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** What an operator needs beside the answer to sign for it. It stands on the first screen. */
export function decision(page: Page): Markup {
  const { summary, folder } = page
  const measured = identityOf(summary)
  return html`<dl class="decision">
${fact('Headroom', headroomOf(summary, folder))}
${fact('What to set', toSet(summary, folder))}
${fact('What is given up', { text: givenUp(page) })}
${fact('What would break next', { text: nextToBreak(summary) })}
${measured.length > 0 && fact('What was measured', { text: measured.join(' · ') })}
</dl>`
}

function fact(what: string, { text, command }: Told): Markup {
  const code = command !== undefined && html` <code>${command}</code>`
  return html`<div><dt>${what}</dt><dd>${text}${code}</dd></div>`
}

function givenUp({ summary }: Page): string {
  const told = toldOf(summary)
  const tiers = told.flatMap(({ tier }) => tier ?? [])
  if (tiers.length === 0) return 'Not known: what was measured does not say it.'
  const all = [...new Set(tiers.map(ofTier))]
  return all.length === 1 ? sentence(all[0]!) : list(tiersOf({ ...summary, results: told }))
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
