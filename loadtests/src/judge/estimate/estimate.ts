import { isValid } from '../reasons.ts'
import { isDeath } from '../../model/event.ts'
import type { Estimate, Sign } from '../../model/estimate.ts'
import type { Slo } from '../../model/experiment.ts'
import type { Step } from '../../model/step.ts'
import type { Sample } from '../../model/sample.ts'
import { groupBy, max, mean, min, studentFor, sum, variance } from '../statistics.ts'
import { coldRounds, executedIn, isGettingFaster, type FullRound } from '../warmth.ts'
import {
  demandOfStep,
  eachIn,
  fullOf,
  looksOf,
  steadied,
  underWayIn,
  type StepDemand,
  type Full,
  type Looks,
} from './demand.ts'
import { beliefIn, quantileOf, rangeIn, type Belief } from './interval.ts'
import { beliefFrom, triedIn } from './outcomes.ts'
import { decisiveOf, sentIn, type Decisive } from './sent.ts'
import { logCapacity, pauses } from './table.ts'
import { learn, misfitOf, nodesOf, type Assumed, type Node, type Posterior, type SeenAnswers } from './twin.ts'

/** Everything that steps and looks say of one n8n under one workflow. */
export interface Evidence {
  steps: Step[]
  samples: Iterable<Sample>
  slo: Slo
  /** The cores that its processes may use; null where nothing limits them. */
  cores?: number | null
}

/** The twin is not n8n: what a capacity may be off beside chance, in logarithms. A flat curve is harder to read. */
const offAlways = 0.035
const offFlat = 0.18
/** How far two runs of the same n8n lie apart beyond their own noise. */
const offBetweenRuns = 0.07
const safeChance = 0.975
/** Pauses as long as the objective make answers late at any rate. */
const offPauses = 0.2
/** From here on the best queue does not explain what was seen, and from there on not at all. */
const misfits = { some: 2.5, much: 6 }
/** Where waiting for services takes more than this share of the objective, and what a capacity may then be off. */
const waiting = { share: 0.3, off: 0.15 }
/**
 * A shared machine changes its pace. What a turn says is like what the turns within `memory` seconds say, and a
 * capacity goes with the CPU of an execution to about this power. `uneven`: one execution's standard deviation ÷ mean.
 * `unlike`: of few turns that lie close together, so much of the change at least is taken to show.
 */
const drift = { memory: 30, power: 1.5, uneven: 0.5, least: 4, unlike: 0.4 }
/** A queue whose capacity is this far below a rate that held is not the one that was measured. */
const refuted = 1.3
/** From one end of the run to the other. */
const changed = 0.08
/** Of the objective. */
const long = 0.2
/** More under way than Little's law allows of requests that wait for their answer. */
const beyondLittle = 1.6
/** How exact the throughput of closed rounds is, in logarithms. */
const offFinished = 0.045
/** Less than this share of the cores is not what is full. */
const busyCores = 0.85

/** What the fit is made from, and the fit. */
export interface Fit {
  posterior: Posterior
  nodes: Node[]
  /** Seconds that a request takes outside of the queue. */
  delay: number
  /** Logarithmic, as all that is off. */
  off: number
  decisive: Decisive
}

/** `basis`: what it may rest on at most. */
export function estimateOf(
  { steps, samples, slo, cores = null }: Evidence,
  basis: Estimate['basis'] = 'model',
): Estimate | null {
  const open = steps.filter(isOpen)
  if (open.length === 0) return null
  const looks = looksOf(samples)
  const { demands, all, full, cold, pace } = usedIn(steps, looks)
  const fit = fitOf(open, demands, full, slo, pace)
  const signs = signsIn({ open, looks, demands, full, fit, cold, slo, cores })
  const demand = rangeOfDemand(all)
  // Cores and CPU time say it better than a count of some seconds.
  const throughput = full?.cores && demand ? full.cores / demand.cpu : (full?.throughput ?? null)
  const belief = believed(open, basis === 'model' ? fit : null, signs, throughput, slo)
  if (!belief) return null
  const capacity = rangeIn(belief.blurred(0))
  return {
    capacity,
    safe: { rate: quantileOf(belief.blurred(offBetweenRuns), 1 - safeChance), chance: safeChance },
    demand,
    throughput,
    cores: full?.cores ?? null,
    share: throughput ? capacity.rate / throughput : null,
    basis: belief.basis,
    signs,
    ...(cold !== null && { cold }),
  }
}

/** Steps that a capacity can rest on. */
export const isOpen = ({ purpose, load }: Step) => purpose === 'measure' && load.shape === 'constant'

/** Few answers still count, as many as they are. */
const isSpoiled = (step: Step) => !isValid(step) && step.reasons.some(({ code }) => code !== 'too-few')

const hasDied = ({ reasons }: Step) => reasons.some(({ code }) => isDeath(code))

/** The demand of each open step and of all that count, and what was in use in loads whose clients wait. */
export function usedIn(
  steps: Step[],
  looks: Looks,
): { demands: (StepDemand | null)[]; all: StepDemand[]; full: Full | null; cold: number | null; pace: number } {
  const inOrder = steps.toSorted((a, b) => a.load.startedAt - b.load.startedAt)
  const demandIn = (step: Step) => {
    const next = inOrder.find(({ load }) => load.startedAt > step.load.startedAt)
    return demandOfStep(step, looks, next?.load.startedAt)
  }
  const demands = steps.filter(isOpen).map(demandIn)
  // Each repeat starts n8n anew.
  const filling = [...groupBy(inOrder.filter(isFilling), ({ repeat }) => repeat).values()].map((own) =>
    own.map((step) => ({ step, demand: demandIn(step), executed: step.load.accepted })),
  )
  const rounds = filling.map((own) => own.map(({ executed, demand }) => ({ executed, each: demand?.each ?? null })))
  const warm = filling.flatMap((own, nth) => own.slice(coldRounds(rounds[nth]!)))
  const full = warm.flatMap(({ step, demand }) => (step.purpose === 'full' ? (demand ?? []) : []))
  const all = [...demands.filter((one) => one !== null), ...full]
  const cold = rounds.filter((own) => isGettingFaster(own, 'surely')).map(executedIn)
  return {
    demands: steadied(demands, all),
    all,
    full: fullOf(
      warm.map(({ step }) => step),
      looks,
    ),
    cold: cold.length > 0 ? max(cold) : null,
    pace: paceIn(
      warm.map(({ step, demand, executed }) => ({ at: step.load.startedAt, executed, each: demand?.each ?? null })),
      inOrder,
    ),
  }
}

/** How far the pace of the whole run may be from the machine's usual one, in logarithms, by its full turns. */
function paceIn(rounds: (FullRound & { at: number })[], all: Step[]): number {
  const told = rounds.flatMap(({ at, each, executed }) =>
    each && executed ? [{ at, log: Math.log(each), executed }] : [],
  )
  if (told.length < drift.least) return 0
  const chance = mean(told.map(({ executed }) => drift.uneven ** 2 / executed))
  // Turns that lie close together are alike: the pace changes by more than they differ.
  const likeness = told.flatMap((one, nth) =>
    told.slice(nth + 1).map(({ at }) => Math.exp(-Math.abs(at - one.at) / 1000 / drift.memory)),
  )
  // Of few turns, their spread is nearly twice what chance makes of them now and then.
  const byChance = chance * (1 + 2 / Math.sqrt(told.length))
  const differ = Math.max(0, variance(told.map(({ log }) => log)) - byChance)
  const spread = Math.sqrt(differ / Math.max(drift.unlike, 1 - mean(likeness)))
  const seconds = (max(all.map(({ load }) => load.endedAt)) - min(all.map(({ load }) => load.startedAt))) / 1000
  return spread * Math.sqrt(Math.min(1, (2 * drift.memory) / seconds))
}

/** Clients who wait fill n8n, as does a rate that is more than it finishes. */
const isFilling = (step: Step) =>
  (step.purpose === 'full' || (step.purpose === 'warm-up' && step.load.shape === 'closed')) && !hasDied(step)

/** Null where too little is known for the twin: no CPU time, no load at which n8n was full, or too few answers. */
function fitOf(open: Step[], demands: (StepDemand | null)[], full: Full | null, slo: Slo, pace: number): Fit | null {
  const decisive = decisiveOf(open, slo)
  if (!decisive || !full?.cores) return null
  const seen = open.flatMap((step, nth) => {
    const demand = demands[nth]
    if (!demand || isSpoiled(step) || hasDied(step) || step.load.arrivals === 'even') return []
    return sentIn(step, decisive, demand) ?? []
  })
  if (seen.length === 0) return null
  const posterior = fitted(seen, { objective: decisive.objectives[0]!.seconds, perCpu: 1 / full.cores })
  const nodes = nodesOf(posterior, decisive.objectives)
  const rate = Math.exp(sum(nodes.map(({ chance, logCapacity }) => chance * logCapacity)))
  const delay = sum(nodes.map((node) => node.chance * node.delay))
  const rest = decisive.objectives[0]!.seconds - delay
  const off = Math.hypot(offAlways, offFlat / Math.max(0.5, rate * rest), drift.power * pace)
  return { posterior, nodes, delay, off, decisive }
}

/** A run is summarised many times while it goes on: a fit begins with the one of the steps before. */
const known = new Map<string, Posterior>()
const mostKnown = 60

function fitted(seen: SeenAnswers[], assumed: Assumed): Posterior {
  let key = JSON.stringify(assumed)
  let posterior: Posterior | null = null
  for (const one of seen) {
    key += JSON.stringify([one.arrivals(0)[0], one.mean, one.above, one.demand])
    const before: Posterior | null = posterior
    posterior = known.get(key) ?? learn(before, assumed, one)
    if (known.size >= mostKnown) known.delete(known.keys().next().value!)
    known.set(key, posterior)
  }
  return posterior!
}

interface Found {
  open: Step[]
  looks: Looks
  demands: (StepDemand | null)[]
  full: Full | null
  fit: Fit | null
  cold: number | null
  slo: Slo
  cores: number | null
}

function signsIn({ open, looks, demands, full, fit, cold, cores }: Found): Sign[] {
  const when = (sign: Sign, holds: boolean): Sign[] => (holds ? [sign] : [])
  const early = open.filter((step) => {
    const running = underWayIn(step, looks)
    const { rate, latency, accepted, requests } = step.load
    return (
      running !== null
      && latency !== null
      && accepted > 0.9 * requests
      && running > beyondLittle * rate! * (latency.mean / 1000) + 1
    )
  })
  const objective = fit?.decisive.objectives[0]!.seconds ?? Infinity
  const each = mean([0, ...demands.flatMap((one) => (one ? [one.each] : []))].slice(demands.some(Boolean) ? 1 : 0))
  const alone = full?.cores ? each / Math.min(1, full.cores) : 0
  const paused = fit
    ? sum([0, ...fit.nodes.filter((node) => pauses[node.pauses]!.lasts >= objective).map(({ chance }) => chance)])
    : 0
  return [
    ...when('death', open.some(hasDied)),
    ...when('cold', cold !== null),
    ...when('answers-before-work', 2 * early.length > open.length),
    ...when('few-answers', fit === null),
    ...when('misfit', fit !== null && misfitOf(fit.posterior) >= misfits.some),
    ...when('pauses', paused > 0.5),
    ...when('waits', fit !== null && fit.delay > waiting.share * objective),
    ...when('long-request', alone > long * objective),
    ...when('machine-changed', changeIn(open, demands) > changed),
    ...when('not-cpu', !!full?.cores && full.cores < busyCores * Math.min(1, cores ?? 1)),
  ]
}

/** By how much the demand changed from the first step to the last, as a share. */
function changeIn(open: Step[], demands: (StepDemand | null)[]): number {
  const points = open.flatMap(({ load }, nth) =>
    demands[nth] ? [{ x: load.startedAt, y: Math.log(demands[nth].each) }] : [],
  )
  if (points.length < 4) return 0
  const x = mean(points.map((one) => one.x))
  const y = mean(points.map((one) => one.y))
  const slope = sum(points.map((one) => (one.x - x) * (one.y - y))) / sum(points.map((one) => (one.x - x) ** 2))
  return Math.abs(slope * (points.at(-1)!.x - points[0]!.x))
}

interface Believed {
  basis: Estimate['basis']
  /** With so much more that it may be off. */
  blurred(more: number): Belief
}

/** Null where no step says anything of n8n. */
function believed(open: Step[], fit: Fit | null, signs: Sign[], throughput: number | null, slo: Slo): Believed | null {
  const early = signs.includes('answers-before-work')
  const modelled = fit && !early && !signs.includes('death') ? fromFit(fit, signs) : null
  const held = Math.max(0, ...open.filter((step) => step.holds && !isSpoiled(step)).map(({ load }) => load.rate!))
  if (modelled && held <= refuted * rangeIn(modelled.blurred(0)).high) return modelled
  const byLateness = !early && !signs.includes('death')
  const tried = open.filter((step) => !isSpoiled(step)).map((step) => triedIn(step, byLateness))
  const expected =
    early && throughput && !signs.includes('death')
      ? { rate: throughput / (1 - slo.backlog), off: offFinished }
      : undefined
  if (tried.length === 0 && !expected) return null
  const belief = beliefFrom(tried, slo.p95 / 1000, expected)
  return {
    basis: 'steps',
    blurred(more) {
      if (more === 0) return belief
      const points = Array.from(belief.chances, (chance, at) => ({ log: belief.from + at * belief.width, chance }))
      return beliefIn(
        points.filter(({ chance }) => chance > 0),
        more,
      )
    },
  }
}

/** Null where the best queue does not explain what was seen. */
function fromFit(fit: Fit, signs: Sign[]): Believed | null {
  if (misfitOf(fit.posterior) >= misfits.much) return null
  const off = Math.hypot(
    signs.includes('pauses') ? offPauses : fit.off * (signs.includes('misfit') ? 2 : 1),
    signs.includes('machine-changed') ? changed / 2 : 0,
    signs.includes('waits') ? waiting.off : 0,
  )
  const points = fit.nodes.map(({ logCapacity, chance }) => ({ log: logCapacity, chance }))
  return { basis: 'model', blurred: (more) => beliefIn(points, Math.hypot(off, more)) }
}

/** The least that a demand may be off, as a share: other work of the process is in it. */
const leastOff = 0.02

function rangeOfDemand(demands: StepDemand[]): Estimate['demand'] {
  if (demands.length === 0) return null
  const executed = sum(demands.map(({ cpu, each }) => cpu / each))
  const cpu = eachIn(demands)
  // Each step counts by its executions.
  const apart = sum(demands.map((one) => (one.cpu / one.each / executed) ** 2 * Math.log(one.each / cpu) ** 2))
  const count = demands.length
  const chance = count > 1 ? studentFor(0.95, count - 1) * Math.sqrt((apart * count) / (count - 1)) : 0.1
  const off = Math.hypot(chance, leastOff)
  return { cpu, low: cpu * Math.exp(-off), high: cpu * Math.exp(off) }
}

/** What a usual queue sustains that finishes so much when it is full. */
export function capacityWhenFull(throughput: number, { p95 }: Pick<Slo, 'p95'>): number {
  const objective = Number.isFinite(p95) ? p95 / 1000 : 10
  const delay = Math.min(0.07, objective / 4)
  const usual = { discipline: 0, servers: 0, pauses: 0, uneven: 2 }
  return Math.exp(logCapacity(usual, 1 / throughput, objective - delay, 0.05))
}

/** The rate to begin with, from what clients that wait reached: a little below. */
export const firstGuess = (reached: number, slo: Pick<Slo, 'p95'>): number =>
  reached > 0 ? 0.95 * capacityWhenFull(reached, slo) : 1

/** The fit of all steps; null where too little is known for it. */
export function fitIn({ steps, samples, slo }: Evidence): Fit | null {
  const { demands, full, pace } = usedIn(steps, looksOf(samples))
  return fitOf(steps.filter(isOpen), demands, full, slo, pace)
}
