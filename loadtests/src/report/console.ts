import { styleText } from 'node:util'
import type { Summary } from '../model/summary.ts'
import { latency, nameOf, rate, roughly } from '../lib/figures.ts'
import { isRecommended, workflowsOf } from './choice.ts'
import { aboutProfile, usedBy, wholePercent, wholeProfile } from './explained.ts'
import { inWords, names, untoldInWords } from './fault-words.ts'
import { brokeBy } from './labels.ts'
import { namesOf } from './names.ts'
import { operatingSentences } from './operating.ts'
import { outsideSentences } from './outside.ts'
import { peakMemory } from './peak.ts'
import { headline, mixOf, objective } from './sentences.ts'
import { setAsideLines } from './set-aside.ts'
import { tiersOf } from './tiers.ts'
import { unanswered } from './values.ts'
import type { Result } from '../model/result.ts'

type Style = Parameters<typeof styleText>[0]

const HEAD = ['workflow', 'configuration', 'capacity', 'spread', 'p95', 'broke first by', 'peak memory']

/** The last words on a terminal: enough without the report. */
export function renderConsole(summary: Summary, { color }: { color: boolean }): string {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text
  const lines: string[] = [headline(summary), `Objective: ${objective(summary.experiment)}.`]
  const [answer = '', ...rest] = lines
  return [
    '',
    paint('bold', answer),
    ...rest.map((line) => paint('dim', line)),
    '',
    ...table(summary, paint),
    ...summary.results.map(mixOf).filter(Boolean),
    '',
    ...(summary.worth.length > 0
      ? summary.worth.map(({ workflow, text }) => `${workflow}: ${text}`)
      : summary.comparison.map((comparison) => comparison.text)),
    ...(summary.comparison.length > 0 ? [''] : []),
    ...summary.scaling.map(({ text }) => text),
    ...(summary.scaling.length > 0 ? [''] : []),
    ...setAside(summary),
    ...operating(summary),
    ...tiers(summary),
    ...outside(summary),
    ...explained(summary),
    ...gate(summary, paint),
    ...(summary.faults ?? []).flatMap((fault) => [
      paint(fault.broken.length ? 'red' : 'green', inWords(fault)),
      ...names(fault).map((line) => `  ${line}`),
      '',
    ]),
    ...(summary.untold ?? []).map((fault) => paint('red', untoldInWords(fault))),
    ...warnings(summary).map((warning) => paint('yellow', `warning: ${warning}`)),
    summary.recommendation
      ? paint('green', `Recommended: the values of ${nameOf(summary.recommendation)}, in values.yaml.`)
      : paint('yellow', `Nothing is recommended. ${unanswered(summary)}`),
    '',
  ].join('\n')
}

function setAside({ setAside: all = [] }: Summary): string[] {
  return all.length === 0 ? [] : [...setAsideLines(all), '']
}

function operating(summary: Summary): string[] {
  const told = operatingSentences(summary)
  return told.length === 0 ? [] : [...told, '']
}

function tiers(summary: Summary): string[] {
  const told = tiersOf(summary)
  return told.length === 0 ? [] : [...told, '']
}

function outside(summary: Summary): string[] {
  const told = outsideSentences(summary)
  return told.length === 0 ? [] : [...told, '']
}

/** For each result, the functions that took most time; the other printers have ten of each process. */
function explained({ results }: Summary): string[] {
  return results.flatMap((result) => {
    const { explanation } = result
    if (!explanation) return []
    const of = results.length > 1 ? `${result.workflow} on ${nameOf(result)}: ` : ''
    return [
      `${of}${aboutProfile(explanation)}`,
      ...explanation.processes.flatMap((process) => [
        `  ${process.process}: ${usedBy(process)}`,
        ...process.functions
          .slice(0, 5)
          .map(({ name, where, share }) => `    ${wholePercent(share).padStart(5)}  ${`${name} ${where}`.trim()}`),
      ]),
      `  ${wholeProfile}`,
      '',
    ]
  })
}

function gate({ gate: asked }: Summary, paint: (style: Style, text: string) => string): string[] {
  if (!asked) return []
  const colours = { better: 'green', passed: 'green', worse: 'red', unsure: 'yellow' } as const
  return [
    `Against ${asked.against ?? 'the first variant'}:`,
    ...asked.verdicts.map(({ verdict, text }) => paint(colours[verdict], `  ${verdict}: ${text}`)),
    ...(asked.warning ? [paint('yellow', `  ${asked.warning}`)] : []),
    '',
  ]
}

function warnings(summary: Summary): string[] {
  const partial =
    summary.outcome === 'complete' ? [] : [`the run was ${summary.outcome}, this is what was measured until then`]
  return [...partial, ...summary.environment.warnings]
}

function table(summary: Summary, paint: (style: Style, text: string) => string): string[] {
  const name = namesOf(summary.results)
  const results = workflowsOf(summary).flatMap((workflow) =>
    summary.results.filter((result) => result.workflow === workflow),
  )
  const rows = results.map((result, index) => [
    results[index - 1]?.workflow === result.workflow ? '' : result.workflow,
    `${name(result)}${isRecommended(result, summary) ? ' *' : ''}`,
    result.capacity ? rate(result.capacity.rate) : 'none',
    spreadOf(result),
    result.capacity?.p95 == null ? '–' : latency(result.capacity.p95),
    broke(result),
    peakMemory(result) ?? '–',
  ])
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)))
  const line = (row: string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [
    paint('dim', line(HEAD)),
    ...rows.map((row, index) => (results[index]!.verdict.holds ? line(row) : paint('red', line(row)))),
  ]
}

function spreadOf({ capacity }: Result): string {
  if (!capacity) return '–'
  return capacity.spread === null ? 'one run' : roughly(capacity.spread)
}

function broke(result: Result): string {
  const what = brokeBy(result)
  if (!what) return result.verdict.holds ? 'nothing' : 'not measured'
  return what + (result.verdict.at === null ? '' : ` at ${rate(result.verdict.at)}`)
}
