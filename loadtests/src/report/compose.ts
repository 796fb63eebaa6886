import type { Result } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'
import { nameOf, perSecond } from '../lib/figures.ts'
import { firstScreen } from './answer.ts'
import { isFine } from '../model/answer.ts'
import { answerFor, markOf, nextOf } from './answered.ts'
import { isRecommended } from '../judge/answer.ts'
import { workflowsOf } from './choice.ts'
import type { Document, Tone } from './document.ts'
import { explained } from './explained.ts'
import { fleets } from './fleet.ts'
import { faults } from './faults.ts'
import { inUse } from './in-use.ts'
import { comparison, gate, operating, scaling, tiers, worth } from './judgements.ts'
import { brokeBy } from './labels.ts'
import { method } from './method.ts'
import { outside } from './outside.ts'
import { pageOf, type Page } from './page.ts'
import { peakMemory } from './peak.ts'
import { advice, redo, settings } from './redo.ts'
import { headline, mixOf, objective, spreadOf } from './sentences.ts'
import { p95InWords } from './capacity-words.ts'
import type { Series } from './series.ts'
import { setAside } from './set-aside.ts'
import { unanswered } from './values.ts'
import { warningsIn } from './warnings.ts'
import { underWorkflow } from './workflow.ts'

/** Everything that a run has to say, in the order in which it is read. */
export function compose(summary: Summary, series: Series[], folder: string, values?: string): Document {
  const page = pageOf(summary, series, folder, values)
  const { experiment } = summary
  const sections = [
    comparison(page),
    settings(page),
    setAside(page),
    operating(page),
    tiers(page),
    gate(page),
    faults(page),
    worth(page),
    scaling(page),
    fleets(page),
    ...workflowsOf(summary).map((workflow, index) => underWorkflow(workflow, index, page)),
    inUse(page),
    outside(page),
    explained(page),
    advice(page),
    redo(page),
  ]
  return {
    title: experiment.question,
    profile: experiment.name,
    answered: markOf(summary.answer),
    verdict: headline(summary),
    objective: objective(experiment),
    load: method(experiment),
    warnings: warningsOf(summary),
    first: firstScreen(page),
    overview: overviewOf(page),
    sections: sections.filter((section) => section !== null),
    end: endOf(page),
  }
}

/** What to do now: the values, or the command that would decide it. */
function endOf({ summary, values }: Page): Document['end'] {
  const { recommendation, answer } = summary
  const { word, tone } = markOf(answer)
  if (recommendation)
    return { text: `Recommended: the values of ${nameOf(recommendation)}, in ${values}.`, tone: 'good' }
  if (isFine(answer.answered))
    return { text: `${word[0]!.toUpperCase()}${word.slice(1)}. ${unanswered(summary)}`, tone, command: nextOf(summary) }
  // The headline says why.
  return { text: 'Nothing is recommended.', tone, command: nextOf(summary) }
}

function warningsOf({ outcome, environment }: Summary): string[] {
  const ended = { interrupted: 'was interrupted', failed: 'failed', complete: null }[outcome]
  const partial = ended ? [`The run ${ended}: this is a partial report of what was measured until then.`] : []
  return [...partial, ...warningsIn(environment)]
}

/** The results in a table, each workflow named once. */
function overviewOf({ summary, name }: Page): Document['overview'] {
  const results = workflowsOf(summary).flatMap((workflow) =>
    summary.results.filter((result) => result.workflow === workflow),
  )
  return {
    columns: ['workflow', 'configuration', 'capacity', 'spread', 'p95', 'broke first by', 'peak memory'],
    rows: results.map((result, index) => ({
      tone: toneOf(result, summary),
      cells: [
        results[index - 1]?.workflow === result.workflow ? '' : result.workflow,
        `${name(result)}${isRecommended(result, summary) ? ' *' : ''}`,
        result.capacity ? perSecond(result.capacity.rate) : 'none',
        spreadOf(result),
        p95InWords(result.capacity),
        broke(result),
        peakMemory(result) ?? '–',
      ],
    })),
    notes: summary.results.map(mixOf).filter(Boolean),
  }
}

/** Met is the usual, and has no colour. */
function toneOf(result: Result, summary: Summary): Tone | undefined {
  const own = answerFor(result, summary)
  return own && !isFine(own.answered) ? markOf(own).tone : undefined
}

function broke(result: Result): string {
  const what = brokeBy(result)
  if (!what) return result.verdict.holds ? 'nothing' : 'not measured'
  return what + (result.verdict.at === null ? '' : ` at ${perSecond(result.verdict.at)}`)
}
