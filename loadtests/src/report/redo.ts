import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Result } from '../model/result.ts'
import { list } from '../lib/figures.ts'
import { toActOn } from './advice.ts'
import { again, installing } from './commands.ts'
import { note, paragraph, type Block, type Section } from './document.ts'
import { environmentRows } from './environment.ts'
import type { Page } from './page.ts'
import { whyRecommended } from './recommended.ts'
import { isAlone } from './sentences.ts'
import { unanswered } from './values.ts'

/** What to do with the answer: what to install, what to change next, and how to measure it again. */

const written: Section['on'] = ['markdown', 'html']

export function settings({ summary, folder, values: file, name }: Page): Section {
  const { recommendation, environment, setAside = [] } = summary
  if (!recommendation)
    return {
      id: 'settings',
      title: 'No settings to recommend',
      on: written,
      blocks: [paragraph(unanswered(summary))],
    }
  const { values } = recommendation
  const alone = isAlone(summary)
  const measured = `These are the values that were measured${setAside.length ? ', but for those set aside' : ''}.`
  const all: Block = Object.keys(values).length
    ? { kind: 'code', label: 'Helm values', language: 'yaml', text: stringify(values) }
    : paragraph('They are the chart’s own defaults: no value needs to be set.')
  return {
    id: 'settings',
    title: alone ? 'Settings' : `Settings to use: ${name(recommendation)}`,
    on: written,
    blocks: [
      paragraph(alone ? measured : whyRecommended(summary)),
      all,
      note(`The same values are in ${file} beside this report. In the repository’s folder:`),
      {
        kind: 'code',
        label: 'Command that installs them',
        language: 'sh',
        text: installing(join(folder, file), environment),
      },
    ],
  }
}

/** What would raise each limit, said once with all to whom it applies. */
export function advice(page: Page): Section | null {
  const given = page.summary.results.flatMap((result) =>
    toActOn(result).map((reason) => ({ advice: reason.advice, result })),
  )
  const grouped = [...Map.groupBy(given, (each) => each.advice)]
  if (grouped.length === 0) return null
  const items = grouped.map(([text, all]) => ({
    text,
    note: where(
      all.map(({ result }) => result),
      page,
    ),
  }))
  return { id: 'advice', title: 'What to change next', on: written, blocks: [{ kind: 'list', items }] }
}

function where(results: Result[], page: Page): string {
  const byName = Map.groupBy(results, page.name)
  if (byName.size > 4) return `For ${byName.size} configurations.`
  const parts = [...byName].map(
    ([name, own]) => `${name} under ${list([...new Set(own.map((result) => result.workflow))])}`,
  )
  return `For ${list(parts)}.`
}

/** Enough to measure it again, here or elsewhere, and to know what may differ. */
export function redo({ summary, name }: Page): Section {
  const logs = summary.results.flatMap(({ failure, ...result }) => {
    if (failure === null) return []
    const title = `The last lines of n8n’s log: ${name(result)} under ${result.workflow}`
    return [folded(title, 'Log', 'text', [failure.message, ...failure.log].join('\n'))]
  })
  return {
    id: 'redo',
    title: 'Redo it',
    on: written,
    blocks: [
      { kind: 'code', label: 'Command', language: 'sh', text: again(summary.command) },
      { kind: 'facts', rows: environmentRows(summary) },
      folded('The profile', 'Profile', 'yaml', stringify(summary.experiment)),
      ...logs,
    ],
  }
}

const folded = (title: string, label: string, language: string, text: string): Block => ({
  kind: 'folded',
  title,
  blocks: [{ kind: 'code', label, language, text }],
})
