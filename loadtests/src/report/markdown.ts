import { stringify } from 'yaml'
import type { Summary } from '../model/summary.ts'
import { latency, nameOf, rate, roughly } from '../lib/figures.ts'
import { toActOn } from './advice.ts'
import { isRecommended, workflowsOf } from './choice.ts'
import { again } from './commands.ts'
import { environmentRows } from './environment.ts'
import { aboutProfile, dearHead, dearRow, usedBy, wholeProfile } from './explained.ts'
import { inWords, names, untoldInWords } from './fault-words.ts'
import { brokeBy } from './labels.ts'
import { method } from './method.ts'
import { namesOf } from './names.ts'
import { operatingSentences } from './operating.ts'
import { outsideHead, outsideRows, outsideSentences } from './outside.ts'
import { peakMemory } from './peak.ts'
import { headline, objective, told } from './sentences.ts'
import { setAsideHead, setAsideIntro, setAsideRows, setAsideTitle } from './set-aside.ts'
import { processTable, table, text } from './tables.ts'
import { tiersOf } from './tiers.ts'
import { unanswered } from './values.ts'
import { waitHead, waitRows } from './waits.ts'
import type { Capacity, Result } from '../model/result.ts'

/** The report for a pull request or a wiki. */
export function renderMarkdown(summary: Summary): string {
  const { experiment, recommendation, environment } = summary
  const partial =
    summary.outcome === 'complete' ? [] : [`The run was ${summary.outcome}: it holds what was measured until then.`]
  return [
    `# ${text(experiment.question)}`,
    `**${text(headline(summary))}**`,
    `Objective: ${objective(experiment)}. Load: ${method(experiment)}.`,
    ...[...partial, ...environment.warnings].map((warning) => `> **Warning:** ${text(warning)}`),
    '## Settings to use',
    text(recommendation?.why ?? unanswered(summary)),
    ...(recommendation ? [fence('yaml', stringify(recommendation.values))] : []),
    ...setAside(summary),
    ...operating(summary),
    ...tiers(summary),
    ...gate(summary),
    ...worth(summary),
    ...scaling(summary),
    '## Results',
    ...workflowsOf(summary).flatMap((workflow) => underWorkflow(workflow, summary)),
    ...outside(summary),
    ...explained(summary),
    ...faults(summary),
    ...advice(summary),
    '## Redo it',
    fence('sh', again(summary.command)),
    table(['What', 'Value'], environmentRows(summary)),
    '<details><summary>Profile</summary>',
    fence('yaml', stringify(experiment)),
    '</details>',
    '',
  ].join('\n\n')
}

function setAside({ setAside: all = [] }: Summary): string[] {
  return all.length === 0 ? [] : [`## ${setAsideTitle}`, setAsideIntro, table(setAsideHead, setAsideRows(all))]
}

function faults({ faults = [], untold = [] }: Summary): string[] {
  if (faults.length + untold.length === 0) return []
  const list = faults.flatMap((fault) => [
    `- ${text(inWords(fault))}`,
    ...names(fault).map((line) => `  - ${text(line)}`),
  ])
  list.push(...untold.map((fault) => `- ${text(untoldInWords(fault))}`))
  return ['## What the faults did', list.join('\n')]
}

function underWorkflow(workflow: string, summary: Summary): string[] {
  const results = summary.results.filter((result) => result.workflow === workflow)
  const name = namesOf(summary.results)
  const row = (result: Result): string[] => [
    name(result) + (isRecommended(result, summary) ? ' (recommended)' : ''),
    result.capacity ? rate(result.capacity.rate) : '–',
    result.capacity ? spreadOf(result.capacity) : '–',
    result.capacity?.p95 == null ? '–' : latency(result.capacity.p95),
    result.verdict.holds ? 'yes' : 'no',
    brokeBy(result) ?? '–',
    peakMemory(result) ?? '–',
  ]
  return [
    `### ${text(workflow)}`,
    ...(results.length === 0
      ? ['Not measured.']
      : [
          results.map((result) => `- ${text(told(result, summary))}`).join('\n'),
          table(
            ['Configuration', 'Capacity', 'Spread', 'p95', 'Objective met', 'Broke first by', 'Peak memory'],
            results.map(row),
          ),
          ...processes(results, name),
        ]),
    ...summary.comparison.filter((each) => each.workflow === workflow).map((each) => text(each.text)),
  ]
}

const spreadOf = ({ spread }: Capacity): string => (spread === null ? 'one run' : roughly(spread))

function operating(summary: Summary): string[] {
  const told = operatingSentences(summary)
  return told.length === 0 ? [] : ['## What to run it at', told.map((each) => `- ${text(each)}`).join('\n')]
}

function tiers(summary: Summary): string[] {
  const told = tiersOf(summary)
  return told.length === 0
    ? []
    : ['## What each configuration gives up', told.map((each) => `- ${text(each)}`).join('\n')]
}

function gate({ gate: asked }: Summary): string[] {
  if (!asked) return []
  const lines = [
    ...asked.verdicts.map(({ verdict, text: told }) => `- **${verdict}** ${text(told)}`),
    ...(asked.warning ? [`- ${text(asked.warning)}`] : []),
  ]
  return [`## Against ${text(asked.against ?? 'the first variant')}`, lines.join('\n')]
}

function worth({ worth: all }: Summary): string[] {
  return all.length === 0
    ? []
    : [
        '## What each setting is worth',
        all.map(({ workflow, text: told }) => `- ${text(`${workflow}: ${told}`)}`).join('\n'),
      ]
}

function scaling({ scaling: all }: Summary): string[] {
  return all.length === 0 ? [] : ['## How it scales', all.map(({ text: told }) => `- ${text(told)}`).join('\n')]
}

/** If several processes share the work: what each did of it, and what it used. */
function processes(results: Result[], name: (result: Result) => string): string[] {
  if (results.every(({ resources }) => resources.length < 2)) return []
  const waits = waitRows(results, name)
  return [processTable(results, name), ...(waits.length === 0 ? [] : [table(waitHead, waits)])]
}

function outside(summary: Summary): string[] {
  const sentences = outsideSentences(summary)
  if (sentences.length === 0) return []
  const rows = outsideRows(summary)
  return [
    '## What n8n asked of others',
    sentences.map((each) => `- ${text(each)}`).join('\n'),
    ...(rows.length > 0 ? [table(outsideHead, rows)] : []),
  ]
}

function explained({ results }: Summary): string[] {
  const told = results.flatMap((result) => {
    const { explanation } = result
    if (!explanation) return []
    return [
      `### ${text(`${result.workflow} on ${nameOf(result)}`)}`,
      text(aboutProfile(explanation)),
      ...explanation.processes.flatMap((process) => [
        text(`${process.process}: ${usedBy(process)}.`),
        table(dearHead, process.functions.map(dearRow)),
      ]),
      wholeProfile,
    ]
  })
  return told.length === 0 ? [] : ['## Where the CPU time goes', ...told]
}

function advice(summary: Summary): string[] {
  const given = [...new Set(summary.results.flatMap((result) => toActOn(result).map((reason) => reason.advice)))]
  return given.length === 0 ? [] : ['## What to change next', given.map((each) => `- ${text(each)}`).join('\n')]
}

/** A fence that is longer than any run of backticks inside, so that the content cannot close it. */
function fence(language: string, content: string): string {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${content.trimEnd()}\n${ticks}`
}
