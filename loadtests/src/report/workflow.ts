import type { Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'
import { count, figure, latency, memory, perSecond, roughly } from '../lib/figures.ts'
import { isRecommended } from '../judge/answer.ts'
import { choiceFor } from './choice.ts'
import { loadAgainstLatency, overTime } from './charts.ts'
import { bullets, note, paragraph, sentence, type Block, type Section, type StepCell } from './document.ts'
import { answerFor, markOf } from './answered.ts'
import { isValid } from '../judge/reasons.ts'
import { isFine } from '../model/answer.ts'
import { comparisonInWords } from './comparison-words.ts'
import { brokeBy, purposeInWords } from './labels.ts'
import { short } from './reason-words.ts'
import { matrices } from './matrix.ts'
import type { Page } from './page.ts'
import { errorShare, peakMemory } from './peak.ts'
import { reasonInWords } from './reason-words.ts'
import { p95InWords } from './capacity-words.ts'
import { deaths, finished, isAlone, spreadOf, told } from './sentences.ts'
import { waitHead, waitRows } from './waits.ts'

/** Readers skip a longer list of sentences. */
const MANY = 6

/** Everything about one workflow stands together, so that no figure can be taken for another's. */
export function underWorkflow(workflow: string, index: number, page: Page): Section {
  const { summary } = page
  const results = summary.results.filter((result) => result.workflow === workflow)
  const id = `workflow-${index}`
  const section = {
    id,
    title: workflow,
    within: 'Results',
    evidence: true as const,
    on: ['markdown' as const, 'html' as const],
  }
  if (results.length === 0) return { ...section, blocks: [paragraph('Not measured: the run ended before.')] }
  const comparisons = summary.comparison.filter((comparison) => comparison.workflow === workflow)
  const compared = comparisons.length > 0 && comparisons.length <= MANY
  const chosen = results.length <= MANY ? results : [choiceFor(workflow, summary)].filter((result) => result !== null)
  return {
    ...section,
    blocks: [
      { ...bullets(results.map((result) => told(result, summary))), on: ['markdown'] },
      ...(compared
        ? // Under its own heading the sentence need not begin with the workflow's name.
          comparisons.map((one) => sentence(comparisonInWords(one, summary)))
        : chosen.map((result): Block => ({ ...sentence(told(result, summary)), on: ['html'] }))),
      ...figures(results, page),
      ...matrices(results, id, page),
      ...capacities(results, id, page, !compared && results.length <= MANY),
      ...(index === 0 ? [] : loadAgainstLatency(results, id, page)),
      ...processes(results, workflow, page),
      ...queue(results, workflow, page),
      ...overTime(results, id, page),
      ...steps(results, workflow, page),
    ],
  }
}

/** The results in a table, where nothing can be drawn. */
function figures(results: Result[], { summary, name }: Page): Block[] {
  const rows = results.map((result) => [
    name(result) + (isRecommended(result, summary) ? ' (recommended)' : ''),
    result.capacity ? perSecond(result.capacity.rate) : '–',
    spreadOf(result),
    p95InWords(result.capacity),
    markOf(answerFor(result, summary) ?? { answered: 'not-measured' }).word,
    brokeBy(result) ?? '–',
    peakMemory(result) ?? '–',
  ])
  const columns = ['Configuration', 'Capacity', 'Spread', 'p95', 'Answer', 'Broke first by', 'Peak memory']
  return [{ kind: 'table', label: `Results of ${results[0]!.workflow}`, columns, rows, on: ['markdown'] }]
}

/** Capacity of every configuration: a bar, its figures in text, and what broke it. */
function capacities(results: Result[], id: string, page: Page, already: boolean): Block[] {
  const title = page.summary.experiment.load.shape === 'closed' ? 'Answered' : 'Capacity'
  return [
    { kind: 'heading', id: `${id}-capacity`, text: title, on: ['html'] },
    {
      kind: 'bars',
      rows: results.map((result) => {
        const { capacity } = result
        const best = isRecommended(result, page.summary) && !isAlone(page.summary)
        const own = answerFor(result, page.summary)
        return {
          name: page.name(result),
          colour: page.colour(result),
          marks: [
            ...(best ? [{ word: 'recommended', tone: 'good' as const }] : []),
            ...(own && !isFine(own.answered) ? [markOf(own)] : []),
          ],
          figure: capacity ? perSecond(capacity.rate) : 'none',
          note: already ? inShort(result) : facts(result, page),
          value: capacity?.rate ?? null,
          repeats: capacity?.repeats ?? [],
        }
      }),
    },
  ]
}

/** For where the sentences above have said the rest. */
function inShort(result: Result): string {
  const { capacity } = result
  const peak = peakMemory(result)
  return [
    capacity && capacity.p95 !== null && `p95 ${p95InWords(capacity)}`,
    capacity
      && (capacity.spread === null
        ? 'one run'
        : `${capacity.repeats.length} repeats, spread ${roughly(capacity.spread)}`),
    peak && `peak memory ${peak}`,
    deaths(result),
  ]
    .filter(Boolean)
    .join(' · ')
}

function facts(result: Result, page: Page): string {
  const { capacity } = result
  if (!capacity) return told(result, page.summary)
  const { reasons, at } = result.verdict
  const broke =
    reasons.length === 0 ? '' : `${at === null ? '' : `At ${perSecond(at)}: `}${reasonInWords(reasons[0]!).text}`
  return [`${inShort(result)}.`, finished(capacity.accounting), broke].filter(Boolean).join(' ')
}

/** If several processes share the work: what each did of it, and what it used. */
function processes(results: Result[], workflow: string, { name }: Page): Block[] {
  if (results.every(({ resources }) => resources.length < 2)) return []
  const rows = results.flatMap((result) =>
    result.resources.map(({ process, requests, cpu, rss }) => [
      name(result),
      process,
      requests === null ? '–' : count(requests),
      cpu ? cpu.mean.toFixed(2) : '–',
      rss ? memory(rss.mean) : '–',
      rss ? memory(rss.max) : '–',
    ]),
  )
  const columns = ['Configuration', 'Process', 'Requests', 'CPU, cores', 'Memory', 'Peak memory']
  return [{ kind: 'table', label: `Processes under ${workflow}`, columns, rows, on: ['markdown'] }]
}

/** In queue mode: how long executions waited to begin, and how long they then ran. */
function queue(results: Result[], workflow: string, { name }: Page): Block[] {
  const rows = waitRows(results, name)
  if (rows.length === 0) return []
  return [
    { kind: 'heading', text: 'In the queue' },
    note(
      'At the highest load that held: from an execution’s acceptance to its beginning, and from there to its end, by '
        + 'n8n’s database. A long wait with jobs in the queue calls for more workers or concurrency; without, for more '
        + 'CPU where requests arrive. A long run calls for more CPU of the workers or a lighter workflow.',
    ),
    { kind: 'table', label: `Queue of ${workflow}`, columns: waitHead, rows },
  ]
}

/** Every step, for those who want to check the rest of the page. */
function steps(results: Result[], workflow: string, page: Page): Block[] {
  const measured = results.filter((result) => result.steps.length > 0)
  const number = measured.reduce((sum, result) => sum + result.steps.length, 0)
  if (number === 0) return []
  return [
    {
      kind: 'folded',
      title: `All ${count(number)} steps of ${workflow}`,
      on: ['html'],
      blocks: [
        {
          kind: 'steps',
          label: `Steps of ${workflow}`,
          columns: stepColumns,
          groups: measured.map((result) => ({
            name: page.name(result),
            rows: result.steps.map((step) => ({ warmUp: step.purpose !== 'measure', cells: cellsOf(step) })),
          })),
        },
      ],
    },
  ]
}

const stepColumns = [
  'Repeat',
  'Load',
  'Verdict',
  'Answered',
  'p50',
  'p95',
  'p99',
  'Errors',
  'Accepted',
  'Finished',
  'Failed',
  'Waiting',
  'Lost',
  'Unsent',
]

function cellsOf(step: Step): StepCell[] {
  const { load, accounting, holds, reasons, repeat, purpose } = step
  const { p50 = null, p95 = null, p99 = null } = load.latency ?? {}
  const { accepted, finished: done, failed, waiting, lost } = accounting
  const failures = Object.entries(load.failures).map(([kind, number]) => `${count(number)} × ${kind}`)
  const texts = (values: (number | null)[], said: (value: number) => string) =>
    values.map((value) => ({ text: value === null ? '–' : said(value) }))
  return [
    { text: purpose === 'measure' ? String(repeat) : purposeInWords(purpose) },
    { text: load.rate === null ? `${figure(load.vus ?? 0)} clients` : perSecond(load.rate) },
    purpose === 'full'
      ? { text: '' }
      : holds
        ? { text: 'held', state: 'held' }
        : {
            text: reasons.map(({ code }) => short(code)).join(', ') || 'missed',
            state: isValid(step) ? 'broke' : 'spoiled',
          },
    { text: perSecond(load.throughput) },
    ...texts([p50, p95, p99], latency),
    { text: errorShare(load), ...(failures.length && { more: failures.join(', ') }) },
    ...texts([accepted, done, failed, waiting, lost, load.dropped], count),
  ]
}
