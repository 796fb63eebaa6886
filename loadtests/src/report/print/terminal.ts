import { styleText } from 'node:util'
import type { Block, Document, Section, Tone } from '../document.ts'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

const colours: Record<Tone, Style> = { good: 'green', bad: 'red', unsure: 'yellow', none: 'gray' }

/** The last words on a terminal: enough without the report, and the answer at their end, where the eye is. */
export function printTerminal(document: Document, { color }: { color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text)
  const { answered, verdict, objective, overview, warnings, sections, end } = document
  return [
    '',
    paint('dim', `Objective: ${objective}.`),
    '',
    ...overviewLines(overview, paint),
    ...overview.notes,
    '',
    ...sections.filter((section) => section.on?.includes('terminal')).flatMap((section) => linesOf(section, paint)),
    ...warnings.map((warning) => paint('yellow', `warning: ${warning}`)),
    paint(colours[end.tone], end.text),
    ...(end.command === undefined ? [] : [`  ${end.command}`]),
    '',
    `${paint(colours[answered.tone], `Answer: ${answered.word}.`)} ${paint('bold', verdict)}`,
  ].join('\n')
}

/** Without its title, and with an empty line after it. */
function linesOf({ blocks }: Section, paint: Paint): string[] {
  const lines = blocks.filter(({ on }) => !on || on.includes('terminal')).flatMap((block) => blockLines(block, paint))
  return lines.length === 0 ? [] : [...lines, '']
}

export function blockLines(block: Block, paint: Paint = (_, text) => text): string[] {
  switch (block.kind) {
    case 'text':
      return [block.tone ? paint(colours[block.tone], block.text) : block.text]
    case 'list':
      return block.items.map(({ text, mark }) =>
        mark ? paint(colours[mark.tone], `  ${mark.word}: ${text}`) : `  ${text}`,
      )
    case 'table':
      return wrappedRows([block.columns, ...block.rows.map((row) => row.map(String))], block.widths ?? []).map(
        (line) => `  ${line}`,
      )
    case 'code':
      return block.text.split('\n').map((line) => `  ${line}`)
    default:
      return []
  }
}

function overviewLines({ columns, rows }: Document['overview'], paint: Paint): string[] {
  const widths = columns.map((head, column) => Math.max(head.length, ...rows.map(({ cells }) => cells[column]!.length)))
  const line = (cells: string[]): string =>
    cells
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [
    paint('dim', line(columns)),
    ...rows.map(({ cells, tone }) => (tone ? paint(colours[tone], line(cells)) : line(cells))),
  ]
}

/** Rows in columns of these widths, in as many lines as they take. */
function wrappedRows(rows: string[][], widths: number[]): string[] {
  return rows.flatMap((row) => {
    const cells = row.map((text, column) => wrapped(text, widths[column] ?? Infinity))
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => (cell[line] ?? '').padEnd(Number.isFinite(widths[column]) ? widths[column]! : 0))
        .join('  ')
        .trimEnd(),
    )
  })
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
