import type { Summary } from '../model/summary.ts'
import { count, figure, latency, list, moreOrLess, percent, plusOrMinus, perSecond, roughly } from '../lib/figures.ts'
import { answerFor, whyOf } from './answered.ts'
import { bridgedInShort } from './bridge-words.ts'
import { capacityInWords, triedInWords } from './capacity-words.ts'
import { choiceFor, holds, workflowsOf } from './choice.ts'
import { verb } from './labels.ts'
import { happened } from './reason-words.ts'
import { namesOf } from './names.ts'
import { reasonInWords } from './reason-words.ts'
import type { Accounting } from '../model/step.ts'
import type { Capacity, Result } from '../model/result.ts'
import type { Experiment } from '../model/experiment.ts'

/** The result of the whole run in a sentence: every workflow with its own figure. */
export const headline = (summary: Summary): string => [answerOf(summary), ...bridgedInShort(summary)].join(' ')

function answerOf(summary: Summary): string {
  const { answered, why, question } = summary.answer
  if (answered === 'not-measured') return whyOf(summary)
  const beside = sideBySide(summary)
  if (beside) return beside
  const found = whatIsSustained(summary, answered === 'unsure')
  if (question.rate !== null && (why === 'too-little' || why === 'in-the-interval')) return `${whyOf(summary)} ${found}`
  return answered === 'unsure' ? `${found} Unsure: ${whyOf(summary)}` : found
}

/** With more workflows than this, the headline would be a list. */
const mostBeside = 3

function sideBySide({ comparison, experiment }: Summary): string | null {
  const told = comparison.flatMap(({ takes, ...rest }) =>
    (takes ?? []).flatMap((each) => (each.measure === 'cpu' ? [{ ...rest, ...each }] : [])),
  )
  if (told.length === 0 || !('rate' in experiment.load)) return null
  const asked = `Side by side at ${perSecond(experiment.load.rate)}`
  if (told.length > mostBeside) return `${asked}: what each takes is below.`
  const several = new Set(told.map(({ workflow }) => workflow)).size > 1
  return `${asked}, ${told
    .map(({ workflow, variant, baseline, share, within }) => {
      const size =
        within !== null && Math.abs(share) <= within
          ? `as much CPU a request as ${baseline}`
          : `${moreOrLess(share)} CPU a request than ${baseline}`
      return `${variant} takes ${size}${several ? ` under ${workflow}` : ''}, ${plusOrMinus(within)}`
    })
    .join('; ')}.`
}

/** `isUnsure`: nothing is claimed. */
function whatIsSustained(summary: Summary, isUnsure: boolean): string {
  const chosen = workflowsOf(summary)
    .map((workflow) => choiceFor(workflow, summary))
    .filter((result) => result !== null)
  const sustained = chosen.filter(holds)
  if (sustained.length === 0) return nothing(summary)
  const name = namesOf(summary.results)
  const owners = new Set(sustained.map(name))
  const figures = list(
    sustained.map(
      (result) =>
        `${capacityInWords(result.capacity!)} of ${result.workflow}` + (owners.size > 1 ? ` with ${name(result)}` : ''),
    ),
  )
  const what = summary.experiment.plan === 'server' ? 'server' : 'n8n'
  const who = owners.size === 1 && !isAlone(summary) ? `With ${name(sustained[0]!)}, this ${what}` : `This ${what}`
  const missing = workflowsOf(summary).filter((workflow) => !sustained.some((result) => result.workflow === workflow))
  const isMissed = (workflow: string) =>
    summary.answer.configurations.some((one) => one.workflow === workflow && one.answered === 'missed')
  const failed = missing.filter(isMissed)
  const unmeasured = missing.filter((workflow) => !failed.includes(workflow))
  const but =
    (failed.length > 0 ? ` Under ${list(failed)} nothing met the objective.` : '')
    + (unmeasured.length > 0 ? ` ${list(unmeasured)} ${unmeasured.length > 1 ? 'were' : 'was'} not measured.` : '')
  const { experiment } = summary
  const may = isUnsure ? (experiment.load.shape === 'closed' ? 'may answer' : 'may sustain') : verb(experiment)
  const tried = sustained.length === 1 ? triedInWords(sustained[0]!, experiment) : ''
  const beside = tried ? `: ${tried}` : ''
  return `${who} ${may} ${figures}${clients(experiment)}${headroom(sustained, experiment)}${beside}.${but}`
}

/** `, 3.4 times the busiest minute of the last 30 days (4/s)`: one figure by itself, then with its range. */
function headroom(sustained: Result[], { need, needIs }: Experiment): string {
  if (needIs === undefined || need === undefined || sustained.length !== 1) return ''
  const { rate: reached, interval } = sustained[0]!.capacity!
  const times = (of: number) => figure(Number((of / need).toPrecision(2)))
  const sides = interval?.high ? `, between ${times(interval.low)} and ${times(interval.high)} times` : ''
  return `, ${times(reached)} times ${needIs} (${perSecond(need)}${sides})`
}

function nothing(summary: Summary): string {
  const { configurations, question } = summary.answer
  if (configurations.every(({ answered }) => answered === 'not-measured')) return 'Nothing could be measured.'
  const others = heldAtOthers(summary)
  if (others) return others
  if (configurations.length === 1 && question.rate !== null) return `${perSecond(question.rate)} was not met.`
  return `No configuration met the objective (${objective(summary.experiment)}).`
}

/** Of an n8n of others, which was asked for no more once it missed the objective on the way to what was asked. */
function heldAtOthers({ results, experiment }: Summary): string | null {
  const [{ capacity, verdict, steps }] = results as [Result]
  if (results.length !== 1 || !capacity || verdict.at === null) return null
  if (steps.some(({ purpose }) => purpose === 'measure')) return null
  return (
    `This n8n missed the objective (${objective(experiment)}) at ${perSecond(verdict.at)}, `
    + `and nothing higher was sent. ${perSecond(capacity.rate)} held.`
  )
}

export function objective({ slo }: Experiment): string {
  const times = (['p95', 'p99', 'p99.9'] as const).flatMap((name) =>
    slo[name] === undefined ? [] : [`${name} ≤ ${latency(slo[name])}`],
  )
  return `${times.join(', ')}, errors ≤ ${percent(slo.errors)}, backlog growth ≤ ${percent(slo.backlog)}`
}

/** One result in words: what it sustains, the outcome of its executions, what broke first. */
export function told(result: Result, summary: Summary): string {
  const { capacity, failure, verdict } = result
  // A single configuration needs no name.
  const name = isAlone(summary) ? 'It' : namesOf(summary.results)(result)
  if (!capacity && failure) return `${name} could not be measured: ${failure.message}`
  if (result.steps.length === 0) return `${name} was not measured: the run ended before.`
  const reasons = [...verdict.reasons]
    .filter((reason) => reason.code !== 'nothing-held')
    .map((reason) => reasonInWords(reason).text)
    .join(' ')
  if (!capacity)
    return (
      `${name} held no rate.${verdict.at === null ? '' : ` At ${perSecond(verdict.at)}:`} ${reasons} `
      + `${unsureOf(result)}`
    ).trimEnd()
  const tried = triedInWords(result, summary.experiment)
  const p95 = tried || capacity.p95 === null ? '' : ` with p95 at ${latency(capacity.p95)}`
  const unsure = answerFor(result, summary)?.answered === 'unsure' && summary.experiment.load.shape === 'search'
  const sustains = unsure ? 'may sustain' : verb(summary.experiment)
  const figures =
    `${name} ${sustains} ${capacityInWords(capacity)}${p95}, ${runsOf(capacity)}` + (tried ? `: ${tried}` : '')
  if (!verdict.holds)
    return (
      `${figures} and misses the objective: ${reasons} ${unsureOf(result)} ` + `${finished(capacity.accounting)}`
    ).trimEnd()
  return [
    `${figures}.`,
    unsureOf(result),
    mixOf(result),
    finished(capacity.accounting),
    beyond(result, reasons, summary.experiment),
  ]
    .filter(Boolean)
    .join(' ')
}

/** `This is unsure: 11 of 200 answers were later than the p95 asked for, and 5 % may be.` */
function unsureOf({ verdict: { unsure = [] } }: Result): string {
  return unsure
    .map(
      ({ objective, allowed, late, of }) =>
        `This is unsure: ${count(late)} of ${count(of)} answers were later than the ${objective} asked for, `
        + `and ${percent(allowed)} may be.`,
    )
    .join(' ')
}

export const runsOf = ({ spread, repeats }: Capacity) =>
  spread === null ? 'one run' : `${repeats.length} repeats, spread ${roughly(spread)}`

/** For a column. */
export function spreadOf({ capacity }: Result): string {
  if (!capacity) return '–'
  return capacity.spread === null ? 'one run' : roughly(capacity.spread)
}

/** With several workflows at once: how each was answered and what it finished, in the last step. */
export function mixOf({ steps }: Result): string {
  const last = steps.findLast(({ purpose }) => purpose === 'measure')
  const finished = (last?.parts ?? []).map((part) => ` (${count(part.finished)} finished)`)
  const told = (last?.load.parts ?? []).map(
    ({ workflow, accepted, failed, latency: taken }, index) =>
      `${workflow} accepted ${count(accepted)}${finished[index] ?? ''}`
      + (failed > 0 ? ` and failed ${count(failed)}` : '')
      + (taken ? ` with p95 at ${latency(taken.p95)}` : ''),
  )
  return told.length > 0 ? `Of the mix, ${list(told)}.` : ''
}

export const isAlone = ({ results }: Summary): boolean => new Set(results.map(namesOf(results))).size < 2

function beyond(result: Result, reasons: string, experiment: Experiment): string {
  if (experiment.load.shape !== 'search') return ''
  if (result.verdict.at === null) return 'No rate that was tried broke it: it may sustain more.'
  if (result.verdict.reasons.every((reason) => reason.code === 'generator-behind'))
    return `It may sustain more: ${reasons}`
  return `At ${perSecond(result.verdict.at)} it broke: ${reasons}`
}

export function finished({ accepted, finished: done, failed, waiting, lost, unknown = 0 }: Accounting): string {
  if (accepted === 0) return ''
  if (done === null) return `${count(accepted)} executions were accepted; how many of them finished is unknown.`
  const rest = [
    [failed, 'failed'],
    [waiting, 'still waiting'],
    [lost, 'lost'],
  ] as const
  const shares = rest.flatMap(([number, word]) => (number ? `${count(number)} ${word}` : []))
  if (done >= accepted && shares.length === 0 && unknown === 0)
    return `All ${count(accepted)} accepted executions finished.`
  const others = shares.length > 0 ? `, ${list(shares)}` : ''
  const hidden = unknown > 0 ? ` How ${count(unknown)} ended is unknown: n8n is told not to keep them.` : ''
  return `Of ${count(accepted)} accepted executions ${count(done)} finished${others}.${hidden}`
}

/** `main-0 was killed for memory 3 times`; null where every process lived. */
export function deaths(result: Result): string | null {
  const counted = Map.groupBy(result.exits, ({ process, reason }) => {
    return `${process} ${reason === 'stopped' ? 'was stopped' : happened(reason)}`
  })
  const parts = [...counted].map(
    ([what, exits]) => what + (exits.length > 1 ? ` ${exits.length === 2 ? 'twice' : `${exits.length} times`}` : ''),
  )
  return parts.length > 0 ? list(parts) : null
}

const clients = ({ load }: Experiment): string => (load.shape === 'closed' ? ` to ${figure(load.vus)} clients` : '')
