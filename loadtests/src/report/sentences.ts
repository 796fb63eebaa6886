import type { Accounting, Result, Summary } from '../analyse/summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { count, duration, figure, giveOrTake, latency, list, moreOrLess, percent, rate, roughly } from '../figures.ts'
import { choiceFor, holds, wasMeasured, workflowsOf } from './choice.ts'
import { namesOf } from './names.ts'

/** What the whole run says, in a sentence: every workflow with its own figure. */
export function headline(summary: Summary): string {
  return sideBySide(summary) ?? whatIsCarried(summary)
}

/** More than this would be a list and no headline. */
const mostBeside = 3

function sideBySide({ comparison, experiment }: Summary): string | null {
  const told = comparison.flatMap(({ takes, ...rest }) => (takes ?? []).flatMap((each) => (each.measure === 'cpu' ? [{ ...rest, ...each }] : [])))
  if (told.length === 0 || !('rate' in experiment.load)) return null
  const asked = `Side by side at ${rate(experiment.load.rate)}`
  if (told.length > mostBeside) return `${asked}: what each takes is below.`
  const several = new Set(told.map(({ workflow }) => workflow)).size > 1
  return `${asked}, ${told.map(({ workflow, variant, baseline, share, within }) => {
    const size = Math.abs(share) <= within ? `as much CPU a request as ${baseline}` : `${moreOrLess(share)} CPU a request than ${baseline}`
    return `${variant} takes ${size}${several ? ` under ${workflow}` : ''}, ${giveOrTake(within)}`
  }).join('; ')}.`
}

function whatIsCarried(summary: Summary): string {
  const chosen = workflowsOf(summary).map((workflow) => choiceFor(workflow, summary)).filter((result) => result !== null)
  const carried = chosen.filter(holds)
  if (carried.length === 0) return nothing(summary)
  const name = namesOf(summary.results)
  const owners = new Set(carried.map(name))
  const figures = list(carried.map((result) =>
    `${rate(result.capacity!.rate)} of ${result.workflow}${owners.size > 1 ? ` with ${name(result)}` : ''}`))
  const what = summary.experiment.plan === 'server' ? 'server' : 'n8n'
  const who = owners.size === 1 && !isAlone(summary) ? `With ${name(carried[0]!)}, this ${what}` : `This ${what}`
  const missing = workflowsOf(summary).filter((workflow) => !carried.some((result) => result.workflow === workflow))
  const failed = missing.filter((workflow) => wasMeasured(workflow, summary))
  const unmeasured = missing.filter((workflow) => !failed.includes(workflow))
  const but = (failed.length > 0 ? ` Under ${list(failed)} nothing met the objective.` : '')
    + (unmeasured.length > 0 ? ` ${list(unmeasured)} ${unmeasured.length > 1 ? 'were' : 'was'} not measured.` : '')
  return `${who} ${verb(summary.experiment)} ${figures}${clients(summary.experiment)}.${but}`
}

function nothing(summary: Summary): string {
  if (summary.results.every((result) => result.steps.length === 0)) return 'Nothing could be measured.'
  return `No configuration met the objective (${objective(summary.experiment)}).`
}

export function objective({ slo }: Experiment): string {
  return `p95 ≤ ${latency(slo.p95)}, errors ≤ ${percent(slo.errors)}, backlog growth ≤ ${percent(slo.backlog)}`
}

/** How the load was put on, for a reader who has not seen the profile. */
export function method({ load, repeat, workflows }: Experiment): string {
  const times = repeat > 1 ? `, ${repeat} times` : ''
  if (load.shape === 'closed') return `${load.vus} clients, each waiting for its answer, for ${load.duration} s${times}`
  const open = ', whether or not n8n keeps up'
  if (load.shape === 'ramp') return `from ${rate(load.from)} to ${rate(load.to)} within ${load.duration} s${times}${open}`
  if (load.shape === 'spike') return `${rate(load.rate)}, for the middle fifth of ${load.duration} s ${rate(load.peak)}${times}${open}`
  if (load.shape === 'soak') return `${rate(load.rate)} for ${duration(load.duration * 1000)}${times}${open}`
  if (load.shape === 'herd') return `${count(load.waiting)} callers at once, and ${rate(load.rate)} for ${load.duration} s${times}${open}`
  if (load.shape === 'mixed') return `${rate(load.rate)} for ${load.duration} s over ${list(workflows.map((workflow) => `${workflow} (${figure(load.weights[workflow] ?? 1)})`))}${times}${open}`
  if (load.shape === 'constant') return `${rate(load.rate)} for ${load.duration} s${times}, whether or not n8n keeps up`
  return `rates between ${rate(load.min)} and ${rate(load.max)}, steps of ${load.step} s, whether or not n8n keeps up${times}`
}

/** One result in words: what it carries, what became of the executions, what broke first. */
export function told(result: Result, summary: Summary): string {
  const { capacity, failure, verdict } = result
  // One configuration alone needs no name.
  const name = isAlone(summary) ? 'It' : namesOf(summary.results)(result)
  if (!capacity && failure) return `${name} could not be measured: ${failure.message}`
  if (result.steps.length === 0) return `${name} was not measured: the run ended before.`
  const reasons = [...verdict.reasons].filter((reason) => reason.code !== 'nothing-held').map((reason) => reason.text).join(' ')
  if (!capacity) return `${name} held no rate.${verdict.at === null ? '' : ` At ${rate(verdict.at)}:`} ${reasons}`
  const figures = [
    `${name} ${verb(summary.experiment)} ${rate(capacity.rate)}${capacity.p95 === null ? '' : ` with p95 at ${latency(capacity.p95)}`}`,
    capacity.spread === null ? '' : ` (${capacity.repeats.length} repeats, spread ${roughly(capacity.spread)})`,
  ].join('')
  if (!verdict.holds) return `${figures} and misses the objective: ${reasons} ${finished(capacity.accounting)}`.trimEnd()
  return [`${figures}.`, mixOf(result), finished(capacity.accounting), beyond(result, reasons, summary.experiment)].filter(Boolean).join(' ')
}

/** Of several workflows at once: what each was answered and what it finished, in the last step. */
export function mixOf({ steps }: Result): string {
  const last = steps.findLast(({ purpose }) => purpose === 'measure')
  const finished = (last?.parts ?? []).map((part) => ` (${count(part.finished)} finished)`)
  const told = (last?.load.parts ?? []).map(({ workflow, accepted, failed, latency: taken }, index) => `${workflow} accepted ${count(accepted)}${finished[index] ?? ''}${failed > 0 ? ` and failed ${count(failed)}` : ''}${taken ? ` with p95 at ${latency(taken.p95)}` : ''}`)
  return told.length > 0 ? `Of the mix, ${list(told)}.` : ''
}

export const isAlone = ({ results }: Summary): boolean => new Set(results.map(namesOf(results))).size < 2

function beyond(result: Result, reasons: string, experiment: Experiment): string {
  if (experiment.load.shape !== 'search') return ''
  if (result.verdict.at === null) return 'No rate that was tried broke it: it may carry more.'
  if (result.verdict.reasons.every((reason) => reason.code === 'generator-behind')) return `It may carry more: ${reasons}`
  return `At ${rate(result.verdict.at)} it broke: ${reasons}`
}

export function finished({ accepted, finished: done, failed, waiting, lost }: Accounting): string {
  if (accepted === 0) return ''
  if (done === null) return `${count(accepted)} executions were accepted; how many of them finished is unknown.`
  if (done >= accepted) return `All ${count(accepted)} accepted executions finished.`
  const rest = [[failed, 'failed'], [waiting, 'still waiting'], [lost, 'lost']] as const
  const shares = rest.flatMap(([number, word]) => (number ? `${count(number)} ${word}` : []))
  return `Of ${count(accepted)} accepted executions ${count(done)} finished${shares.length > 0 ? `, ${list(shares)}` : ''}.`
}

/** `main-0 was killed for memory 3 times`; null where every process lived. */
export function deaths(result: Result): string | null {
  const counted = Map.groupBy(result.exits, (exit) => `${exit.process} ${DIED[exit.reason]}`)
  const parts = [...counted].map(([what, exits]) => what + (exits.length > 1 ? ` ${exits.length === 2 ? 'twice' : `${exits.length} times`}` : ''))
  return parts.length > 0 ? list(parts) : null
}

const DIED = {
  'oom-killed': 'was killed for memory',
  'heap-exhausted': 'ran out of heap',
  crashed: 'crashed',
  stopped: 'was stopped',
}

export const verb = (experiment: Experiment): string => (experiment.load.shape === 'closed' ? 'answers' : 'carries')

const clients = ({ load }: Experiment): string => (load.shape === 'closed' ? ` to ${figure(load.vus)} clients` : '')
