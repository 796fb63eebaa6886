import type { SetAside } from '../model/environment.ts'
import { paragraph, type Block, type Section } from './document.ts'
import type { Page } from './page.ts'
import { blockLines } from './print/terminal.ts'

/** What a run did not take from the user's values. */
export function setAside({ summary: { setAside: all = [] } }: Page): Section | null {
  if (all.length === 0) return null
  return {
    id: 'set-aside',
    title: 'Your values, and what was set aside',
    evidence: true,
    on: ['terminal', 'markdown', 'html'],
    blocks: blocksOf(all),
  }
}

/** The same as plain lines, for when a run begins; none where nothing was set aside. */
export const setAsideLines = (all: SetAside[]): string[] =>
  all.length === 0 ? [] : blocksOf(all).flatMap((block) => blockLines(block))

const blocksOf = (all: SetAside[]): Block[] => [
  paragraph('The run may not reach these, or does not have them. Everything else is measured as your values say it.'),
  {
    kind: 'table',
    label: 'Values that were set aside',
    columns: ['Of your values', 'The run has', 'What that may change'],
    rows: all.map(({ what, instead, effect }) => [
      what.join(', '),
      instead,
      `${effect}.`.replace(/^(?!n8n)./, (letter) => letter.toUpperCase()),
    ]),
    widths: [52, 26, 38],
  },
]
