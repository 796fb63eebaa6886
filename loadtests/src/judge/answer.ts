import {
  isFine,
  type Answer,
  type Answered,
  type ConfigurationAnswer,
  type Question,
  type Why,
} from '../model/answer.ts'
import { trafficNames, type Experiment, type Values } from '../model/experiment.ts'
import { cellKey, inSameCell, type Realism, type Result } from '../model/result.ts'
import { reasonMeaning } from '../model/step.ts'
import { spoils } from './reasons.ts'
import type { Comparison, Summary } from '../model/summary.ts'
import { exitCodes, type ExitCode } from '../lib/errors.ts'
import { causeOf } from './cause.ts'
import { hasSwung } from './pace.ts'
import { cannotHold, fittingOf } from './objective.ts'
import { nextFor } from './next-command.ts'
import { isOf, safeOf, sustains } from './sustained.ts'

/** With its answer. Nothing is recommended on what is not met, or not known. */
export function answered(summary: Omit<Summary, 'answer'>): Summary {
  const answer = answerOf(summary)
  return { ...summary, ...(!isFine(answer.answered) && { recommendation: null }), answer }
}

/** The one answer of a run, from what was judged of its parts. */
export function answerOf(summary: Omit<Summary, 'answer'>): Answer {
  const question = questionOf(summary)
  const configurations = summary.results.map((result) => configurationOf(result, question, summary))
  choose(configurations, summary)
  const decided = decide(question, configurations, summary)
  const missing = missingOf(configurations, summary)
  // What each sustains may be known, and which is better not.
  const open = question.kind === 'capacity' && isUndecided(configurations, summary) ? 'no-clear-difference' : null
  return {
    question,
    ...decided,
    configurations,
    missing,
    next: nextFor(decided.why ?? open, configurations, summary),
  }
}

/** Nothing else decides how a command ends. */
export const exitCodeOf = ({ answered }: Answer): ExitCode =>
  ({
    met: exitCodes.met,
    measured: exitCodes.met,
    missed: exitCodes.missed,
    unsure: exitCodes.invalid,
    'not-measured': exitCodes.invalid,
  })[answered]

function questionOf({ gate, experiment }: Pick<Summary, 'gate' | 'experiment'>): Question {
  const { variants, load, need, asks } = experiment
  const rate = need ?? (load.shape === 'constant' || load.shape === 'mixed' ? load.rate : null)
  if (gate) return { kind: 'gate', rate }
  if (variants.some(({ without }) => without !== undefined)) return { kind: 'worth', rate }
  if (variants.some(({ beside }) => beside !== undefined)) return { kind: 'comparison', rate }
  if (rate !== null) return { kind: 'rate', rate }
  if (load.shape !== 'search') return { kind: 'load', rate: null }
  return { kind: asks || variants.length < 2 ? 'capacity' : 'comparison', rate: null }
}

function configurationOf(
  result: Result,
  question: Question,
  { experiment, environment, comparison, outcome }: Omit<Summary, 'answer'>,
): ConfigurationAnswer {
  const { variant, workflow, cell, capacity, failure } = result
  const told = judgedOf(result, question, experiment, environment.calibration?.rates ?? [])
  // What a run that was cut short has found may not be its last word.
  const cut = outcome !== 'complete' && told.answered !== 'not-measured'
  const { low, high } = capacity?.interval ?? { low: null, high: null }
  return {
    variant,
    workflow,
    cell,
    chosen: false,
    ...(cut ? { answered: 'unsure', why: 'interrupted' } : told),
    capacity: capacity && { rate: capacity.rate, low, high, basis: capacity.estimate?.basis ?? 'steps' },
    safe: safeOf(result),
    limit: causeOf(result),
    ratio: ratioOf(comparison.find((one) => isOf(one, result))),
    objective: failure?.code === cannotHold ? fittingOf(result.realism ?? []) : null,
  }
}

/** Of which less ran than was stood in for, or not reached. */
const isMostlyBridged = ({ bridged = [], path }: Realism): boolean =>
  bridged.length > 0 && path !== undefined && 2 * path.ran < path.nodes

/** An interval this wide, upper end ÷ lower end, answers nothing. */
const widest = 4

function isVague(capacity: Result['capacity']): boolean {
  if (!capacity?.interval) return false
  const { low, high } = capacity.interval
  return (high ?? capacity.rate) > widest * low
}

type Told = Pick<ConfigurationAnswer, 'answered' | 'why'>

const told = (answered: Answered, why: Why | null = null): Told => ({ answered, why })

function judgedOf(result: Result, question: Question, { load, need }: Experiment, paces: number[]): Told {
  const { verdict, capacity, operating, realism = [], steps, failure } = result
  const codes = verdict.reasons.map(({ code }) => code)
  if (failure?.code === cannotHold) return told('not-measured', cannotHold)
  if (steps.length === 0 && codes.length === 0) return told('not-measured', 'not-reached')
  if (!verdict.holds) {
    const other = codes.find((code) => spoils({ code })) ?? codes.find((code) => code === 'never-ready')
    if (other) return told('not-measured', other)
    if (codes.length === 0) return told('not-measured', 'not-reached')
    // Whether its executions kept up is not known, and nothing else is wrong.
    if (codes.every((code) => reasonMeaning(code).means === 'unknown')) return told('not-measured', codes[0])
    if (verdict.unsure?.length) return told('unsure', 'chance')
    return hasSwung(paces) ? told('not-measured', 'machine-changed') : told('missed', codes[0])
  }
  const searched = load.shape === 'search'
  const asked = searched ? (question.rate ?? need ?? null) : null
  const enough = asked === null ? null : sustains(result, asked)
  if (enough === 'no') return told('missed', 'too-little')
  if (operating?.held?.holds === false && !operating.held.unsure) return told('missed', 'not-held')
  if (enough === 'unsure') return told('unsure', 'in-the-interval')
  // The generator's limit is not n8n's, even if n8n held every rate up to it.
  if (enough === null && verdict.reasons[0] && spoils(verdict.reasons[0])) return told('unsure', codes[0])
  if (verdict.unsure?.length) return told('unsure', 'chance')
  if (operating?.held?.unsure) return told('unsure', 'hold-too-short')
  if (realism.some(isMostlyBridged)) return told('unsure', 'path-not-run')
  if (realism.some(({ ended }) => !ended)) return told('unsure', 'path-not-run')
  if (searched && asked === null && isVague(capacity)) return told('unsure', 'chance')
  if (searched && capacity?.estimate?.signs.includes('cold')) return told('unsure', 'not-warm')
  if (!capacity) return told('not-measured', 'not-reached')
  // A capacity without a rate to hold it against is measured, not met.
  return told(searched && asked === null ? 'measured' : 'met')
}

function ratioOf(comparison: Comparison | undefined): ConfigurationAnswer['ratio'] {
  if (!comparison) return null
  const { baseline, finding = 'unsure', by = null } = comparison
  const shown = comparison[by ?? 'capacity']
  return {
    baseline,
    ratio: shown?.ratio ?? null,
    low: shown?.low ?? null,
    high: shown?.high ?? null,
    finding,
    by,
  }
}

/** Of each workflow the recommended one, or the one that sustains most, or the first that was measured. */
function choose(all: ConfigurationAnswer[], { recommendation, results }: Pick<Summary, 'recommendation' | 'results'>) {
  for (const workflow of new Set(all.map((one) => one.workflow))) {
    const under = all.filter((one) => one.workflow === workflow)
    const recommended = under.find((one) => isRecommended(one, { recommendation }))
    const holding = under.filter((one, index) => one.capacity && results[all.indexOf(under[index]!)]!.verdict.holds)
    const [most] = holding.toSorted((a, b) => b.capacity!.rate - a.capacity!.rate)
    const measured = under.find((one) => results[all.indexOf(one)]!.steps.length > 0)
    ;(recommended ?? most ?? measured ?? under[0]!).chosen = true
  }
}

export const isRecommended = (
  one: { variant: string; cell: Values },
  { recommendation }: Pick<Summary, 'recommendation'>,
): boolean => recommendation !== null && one.variant === recommendation.variant && inSameCell(one, recommendation)

function decide(question: Question, all: ConfigurationAnswer[], summary: Omit<Summary, 'answer'>): Told {
  const { faults = [], untold: missing = [] } = summary
  if (faults.some(({ broken }) => broken.length > 0)) return told('missed', 'fault-cost')
  const asked = decideAsked(question, all, summary)
  return missing.length > 0 && asked.answered !== 'missed' ? told('not-measured', 'fault-unknown') : asked
}

function decideAsked(question: Question, all: ConfigurationAnswer[], summary: Omit<Summary, 'answer'>): Told {
  const { recommendation, gate, worth, experiment } = summary
  if (question.kind === 'gate') return gated(gate!, all)
  if (question.kind === 'worth') {
    const left = new Set(experiment.variants.flatMap(({ name, without }) => (without === undefined ? [] : [name])))
    const whole = together(all.filter(({ variant }) => !left.has(variant) && variant !== 'n8n-defaults'))
    const open = worth.some(
      ({ measure, finding }) => (measure === 'capacity' || measure === 'cpu') && (finding ?? 'unsure') === 'unsure',
    )
    return isFine(whole.answered) && open ? told('unsure', 'worth-open') : whole
  }
  // Where what each sustains is asked, the others show their own range, however wide, if they were measured.
  const asked = experiment.asks ? all.filter(({ chosen, answered }) => chosen || answered === 'not-measured') : all
  const answer = together(recommendation ? all.filter((one) => isRecommended(one, { recommendation })) : asked)
  if (!isFine(answer.answered)) return answer
  // Each sustains something, and none could be preferred: which is better is what was asked.
  if (question.kind === 'comparison' && isUndecided(all, summary)) return told('unsure', 'no-clear-difference')
  return answer
}

/** Which is better was not found. */
export const isUndecided = (all: ConfigurationAnswer[], { recommendation }: Pick<Summary, 'recommendation'>): boolean =>
  recommendation === null && isOpen(all)

/** One that may be better or worse than the baseline, under every workflow that was compared. */
function isOpen(all: ConfigurationAnswer[]): boolean {
  const compared = all.filter(({ ratio }) => ratio !== null)
  const each = [...Map.groupBy(compared, ({ variant, cell }) => cellKey({ variant, cell })).values()]
  return each.some((own) => {
    const findings = own.map(({ ratio }) => ratio!.finding)
    return findings.includes('unsure') && !findings.includes('better') && !findings.includes('worse')
  })
}

/** Worse counts before unsure, but what two different machines differ in says nothing. */
function gated({ apart, verdicts }: NonNullable<Summary['gate']>, all: ConfigurationAnswer[]): Told {
  if (apart !== null) return told('not-measured', 'machines-differ')
  if (verdicts.some(({ verdict }) => verdict === 'worse')) return told('missed', 'worse')
  const spoiled =
    all.find(({ answered }) => answered === 'not-measured') ?? all.find(({ answered }) => answered === 'unsure')
  if (spoiled) return told(spoiled.answered, spoiled.why)
  const open = verdicts.length === 0 || verdicts.some(({ verdict }) => verdict === 'unsure')
  return open ? told('unsure', 'gate-open') : told('met')
}

/** What is not known of one is not known of all. */
function together(all: ConfigurationAnswer[]): Told {
  if (all.length === 0) return told('not-measured', 'not-reached')
  const worst = (['not-measured', 'unsure', 'missed'] as const)
    .map((answered) => all.find((one) => one.answered === answered))
    .find((one) => one !== undefined)
  if (worst) return told(worst.answered, worst.why)
  return told(all.every(({ answered }) => answered === 'measured') ? 'measured' : 'met')
}

/** Of all that was planned. */
function missingOf(all: ConfigurationAnswer[], { experiment }: Pick<Summary, 'experiment'>): Answer['missing'] {
  const cells = Object.entries(experiment.matrix).reduce<Values[]>(
    (before, [path, values]) => before.flatMap((cell) => values.map((value) => ({ ...cell, [path]: value }))),
    [{}],
  )
  return experiment.variants.flatMap(({ name: variant }) =>
    trafficNames(experiment).flatMap((workflow) =>
      cells.flatMap((cell) => {
        const found = all.find((one) => cellKey(one) === cellKey({ variant, workflow, cell }))
        if (found && found.answered !== 'not-measured') return []
        return [{ variant, workflow, cell, why: found?.why ?? ('not-reached' as const) }]
      }),
    ),
  )
}
