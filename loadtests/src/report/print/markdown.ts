import type { Block, Document, Section } from '../document.ts'

/** The report for a pull request or a wiki. */
export function printMarkdown({
  title,
  answered,
  verdict,
  objective,
  load,
  warnings,
  sections,
  end,
}: Document): string {
  const shown = sections.filter(({ on }) => !on || on.includes('markdown'))
  return [
    `# ${safe(title)}`,
    `**${prose(verdict)}**`,
    `Answer: **${answered.word}**. Objective: ${safe(objective)}. Load: ${safe(load)}.`,
    `${prose(end.text)}${end.command === undefined ? '' : ` ${code(end.command)}`}`,
    ...warnings.map((warning) => `> **Warning:** ${safe(warning)}`),
    ...shown.flatMap((section, index) => [
      ...(section.within && section.within !== shown[index - 1]?.within ? [`## ${safe(section.within)}`] : []),
      ...sectionOf(section),
    ]),
    '',
  ].join('\n\n')
}

function sectionOf({ title, within, blocks }: Section): string[] {
  const level = within ? 3 : 2
  return [`${'#'.repeat(level)} ${safe(title)}`, ...blocks.flatMap((block) => blockOf(block, level + 1))]
}

/** Charts and what only a page can show are left out. */
function blockOf(block: Block, level: number): string[] {
  if (block.on && !block.on.includes('markdown')) return []
  switch (block.kind) {
    case 'text': {
      const whose = block.whose ? `${safe(block.whose)}: ` : ''
      return [`${whose}${prose(block.text)}${block.command ? ` ${code(block.command)}` : ''}`]
    }
    case 'heading':
      return [`${'#'.repeat(level)} ${safe(block.text)}`]
    case 'list':
      return [
        block.items
          .map(({ text, mark, note }) =>
            ['-', mark && `**${mark.word}**`, prose(text), note && prose(note)].filter(Boolean).join(' '),
          )
          .join('\n'),
      ]
    case 'table':
      return [table(block.columns, block.rows)]
    case 'code':
      return [fence(block.language, block.text)]
    case 'facts':
      return [table(['What', 'Value'], block.rows)]
    case 'folded':
      return [
        `<details><summary>${safe([block.title, block.note].filter(Boolean).join(': '))}</summary>`,
        ...block.blocks.flatMap((inner) => blockOf(inner, level)),
        '</details>',
      ]
    default:
      return []
  }
}

export function table(head: string[], rows: (string | number)[][]): string {
  const line = (texts: (string | number)[]): string =>
    `| ${texts.map((one) => safe(String(one)).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Text from a profile or a log must not become markup, nor break its line. */
const safe = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_<>[\]]/g, '\\$&')

/** A sentence of ours, whose commands stand between backticks: they stay what they are. */
const prose = (text: string): string =>
  text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 ? code(part) : safe(part)))
    .join('')

const code = (text: string): string => `\`${text.replace(/\s+/g, ' ').replaceAll('`', '’')}\``

/** A fence that is longer than any run of backticks inside, so that the content cannot close it. */
function fence(language: string, content: string): string {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${content.trimEnd()}\n${ticks}`
}
