import type { Capacity, Result } from '../model/result.ts'
import { inSameCell } from '../model/result.ts'
import { duration, latency, list, rate } from '../lib/figures.ts'
import { choiceFor, toldOf, wasMeasured, workflowsOf } from './choice.ts'
import type { Card, First } from './document.ts'
import { moment } from './environment.ts'
import { faultsInShort } from './faults.ts'
import { headroomOf } from './headroom.ts'
import { identityOf } from './identity.ts'
import { gateInShort } from './judgements.ts'
import { brokeBy } from './labels.ts'
import { nextToBreak } from './next.ts'
import type { Page } from './page.ts'
import { between, runsOf } from './sentences.ts'
import { ofTier, tiersOf } from './tiers.ts'
import { toSet } from './to-set.ts'

/** What stands beside the answer: a figure for every workflow, and what goes with a signature. */
export function firstScreen(page: Page): First {
  const { summary, folder } = page
  const { experiment, startedAt, endedAt, outcome } = summary
  const workflows = workflowsOf(summary)
  const took = endedAt ? `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))}` : ''
  // Side by side the sentence alone has the figures.
  const carried = summary.comparison.every(({ takes }) => !takes?.length)
  const measured = identityOf(summary)
  return {
    about: ['n8n-tuned capacity report', experiment.name, `${moment(startedAt)}${took}`],
    outcome: outcome === 'complete' ? null : outcome,
    whole: workflows,
    marks: [gateInShort(page), faultsInShort(page)].filter((mark) => mark !== null),
    cards: carried ? workflows.map((workflow, index) => card(workflow, index, page)) : [],
    facts: [
      { what: 'Headroom', ...headroomOf(summary, folder) },
      { what: 'What to set', ...toSet(summary, folder) },
      { what: 'Trade-off', text: tradeOff(page) },
      { what: 'What would break next', text: nextToBreak(summary) },
      ...(measured.length > 0 ? [{ what: 'What was measured', text: measured.join(' · ') }] : []),
    ],
  }
}

function card(workflow: string, index: number, page: Page): Card {
  const result = choiceFor(workflow, page.summary)
  const about = { title: workflow, section: `workflow-${index}` }
  if (!result)
    return wasMeasured(workflow, page.summary)
      ? { ...about, figure: 'none', bad: true, notes: ['Nothing met the objective.'] }
      : { ...about, figure: null, notes: ['Not measured.'] }
  const { capacity, verdict } = result
  if (!capacity || !verdict.holds) {
    const why = `${page.name(result)}: ${brokeBy(result) ?? 'not measured'}`
    return { ...about, figure: capacity ? rate(capacity.rate) : 'none', bad: true, notes: [why] }
  }
  const p95 = capacity.p95 === null ? [] : [`p95 ${latency(capacity.p95)}`]
  return {
    ...about,
    figure: rate(capacity.rate),
    ...(verdict.unsure?.length && { mark: { word: 'unsure', tone: 'unsure' } }),
    notes: [[page.name(result), ...p95].join(' · '), sureness(capacity), ...against(result, page)],
  }
}

/** Where the figure lies, and how that is known. */
function sureness(capacity: Capacity): string {
  const sides = between(capacity)
  if (sides === '' && capacity.repeats.length === 1) return 'one run, spread unknown'
  return [sides, runsOf(capacity)].filter(Boolean).join(' · ')
}

/** The first variant under the same workflow: what the figure is compared with. */
function against(result: Result, { summary, name }: Page): string[] {
  const isOf = (one: { workflow: string; cell: Result['cell'] }) =>
    one.workflow === result.workflow && inSameCell(one, result)
  const comparison = summary.comparison.find((each) => isOf(each) && each.variant === result.variant)
  const baseline = comparison && summary.results.find((each) => isOf(each) && each.variant === comparison.baseline)
  if (!baseline) return []
  const broke = brokeBy(baseline)
  const figure = baseline.capacity ? rate(baseline.capacity.rate) : 'none'
  return [`${name(baseline)}: ${figure}${broke ? `, ${baseline.verdict.holds ? 'then' : 'but'} ${broke}` : ''}`]
}

function tradeOff({ summary }: Page): string {
  const told = toldOf(summary)
  const tiers = told.flatMap(({ tier }) => tier ?? [])
  if (tiers.length === 0) return 'Not known: what was measured does not say it.'
  const all = [...new Set(tiers.map(ofTier))]
  return all.length === 1 ? `You lose ${all[0]!}` : list(tiersOf({ ...summary, results: told }))
}
