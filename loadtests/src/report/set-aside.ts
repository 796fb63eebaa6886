import type { SetAside } from '../model/environment.ts'

/** What a run did not take from the user's values: the same table on a terminal, in Markdown and in HTML. */

export const setAsideTitle = 'Your values, and what was set aside'

export const setAsideIntro =
  'The run may not reach these, or does not have them. Everything else is measured as your values say it.'

export const setAsideHead = ['Of your values', 'The run has', 'What that may change']

export const setAsideRows = (setAside: SetAside[]): string[][] =>
  setAside.map(({ what, instead, effect }) => [what.join(', '), instead, `${effect}.`.replace(/^(?!n8n)./, upper)])

const upper = (letter: string) => letter.toUpperCase()

const widths = [52, 26, 38]

/** The table as plain lines; empty where nothing was set aside. */
export function setAsideLines(setAside: SetAside[]): string[] {
  if (setAside.length === 0) return []
  const lines = [setAsideHead, ...setAsideRows(setAside)].flatMap((row) => {
    const cells = row.map((text, column) => wrapped(text, widths[column]!))
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => (cell[line] ?? '').padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
  })
  return [setAsideIntro, ...lines.map((line) => `  ${line}`)]
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
