import { sum } from 'simple-statistics'
import { isValid } from '../judge/reasons.ts'
import { finishedIn, fullOf, looksOf, workedOffIn } from '../judge/estimate/demand.ts'
import { estimateOf, firstGuess } from '../judge/estimate/estimate.ts'
import { courseOf, peakOf } from '../load/course.ts'
import { isDeath } from '../model/event.ts'
import type { Estimate } from '../model/estimate.ts'
import type { Slo } from '../model/experiment.ts'
import type { Load, Search } from '../model/load.ts'
import type { Sample } from '../model/sample.ts'
import type { PlannedStep, Step } from '../model/step.ts'
import type { Measure } from './step.ts'

/**
 * Clients of the warm-up: enough to keep n8n busy, too few for a long queue. More follow while they make it busier.
 * What it finishes would not say so: that grows by the warm-up alone, and clients beyond need only cost memory.
 */
const warmUpClients = { first: 8, second: 16, most: 256, grows: 0.05 }
/** Of a core: an n8n that may use less of one takes longer to do as much. */
const warmUpSeconds = { each: 4, most: 16 }
/** Of one round. The first is short, since it may leave a backlog. */
const secondsOfRound = (round: number, cores: number, first = warmUpSeconds.each): number =>
  round === 0 ? first : Math.round(Math.min(warmUpSeconds.most, warmUpSeconds.each / cores))
/** V8 compiles what runs often, and n8n's throughput nearly doubles within its first half minute under load. */
const warmUps = { most: 8, steady: 0.1, rounds: 2 }
/** When n8n accepts this many times what it finishes, more load would only lengthen its backlog. */
const acceptedPerFinished = 1.5
/** Seconds of backlog that are as good as a warm-up. */
const backlogEnough = 8
/**
 * A warm-up that reaches this many times the next rate is long enough: n8n gets no slower under less load. Its first
 * rounds run in any case, until n8n has finished the work of its start.
 */
export const margin = 1.5

/** Rounds that n8n usually takes, and the seconds in which it works off what they leave. */
const usualWarmUp = { rounds: 4, between: 9 }

/** Seconds that a warm-up usually takes. */
export const secondsOfWarmUp = (cores: number): number =>
  sum(Array.from({ length: usualWarmUp.rounds }, (_, round) => secondsOfRound(round, cores))) + usualWarmUp.between

/** What a warm-up goes by. */
export interface Warming {
  /** Grows while the load is on. */
  samples: Iterable<Sample>
  /** Of the process that may use least, at most 1. */
  cores?: number
  /** Seconds of its first round, where later steps say how full n8n gets. */
  first?: number
  /** Waits until n8n has executed what earlier requests left, and returns when that was. */
  workOff?: () => Promise<number>
}

/** What a search knows beside its steps. */
interface Known extends Warming {
  slo: Slo
}

/** The steps of one repeat under one load shape; each depends on the results before it. */
export async function driveLoad(load: Load, measure: Measure, known: Known): Promise<void> {
  if (load.shape === 'search') {
    const { steps, take } = kept(measure)
    const { reached } = await warmUp(take, known)
    const warmUpTo = (rate: number) => warmUp(take, known, rate)
    return search(firstGuess(reached, known.slo), load, known, { steps, take, warmUpTo })
  }
  const shape = shapeOf(load)
  // Clients that send as fast as they are answered are a warm-up of their own.
  if (shape.kind !== 'closed')
    await warmUp(measure, known, margin * (shape.kind === 'constant' ? shape.rate : peakOf(shape)))
  await measure(shape, load.duration, { purpose: 'measure', endOnExit: false })
}

export function shapeOf(load: Exclude<Load, Search>): PlannedStep['shape'] {
  if (load.shape === 'closed') return { kind: 'closed', vus: load.vus }
  return load.shape === 'constant' || load.shape === 'mixed' ? { kind: 'constant', rate: load.rate } : courseOf(load)
}

/** Keeps the steps that are measured. */
export function kept(measure: Measure): { steps: Step[]; take: Measure } {
  const steps: Step[] = []
  return {
    steps,
    async take(...asked) {
      const step = await measure(...asked)
      steps.push(step)
      return step
    },
  }
}

/** How far from the last rate the next one may be; further up only where that is surely below the capacity. */
const strides = { up: 1.3, surely: 2.5, down: 0.5 }

/** The middle of what is known. */
function nextRate(last: number, { capacity: { low, rate } }: Estimate): number {
  const most = Math.max(strides.up * last, Math.min(strides.surely * last, low))
  return Math.min(most, Math.max(strides.down * last, rate))
}

/** Seconds of a step where many fit, and how many steps a search has. */
const usualStep = 20
const many = { least: 3, most: 8, usual: 5 }
/** A step of few requests lasts until it has this many, but at most so many seconds. */
const enough = { requests: 40, seconds: 60 }
/** A step that was too short is repeated with the length of this many executions. */
const executionsPerStep = 2.4
/** A generator that falls behind this often is at its own limit: higher rates say nothing about n8n. */
const spoiledMost = 2

interface Searching {
  /** All so far, the warm-up too. */
  steps: Step[]
  take: Measure
  warmUpTo: (enough: number) => Promise<unknown>
}

/** Seconds of load that a search takes beside its warm-up. */
export const secondsOf = ({ budget, step }: Pick<Search, 'budget' | 'step'>): number => budget ?? many.usual * step

/** Loads n8n where that says most of its capacity: at the edge, as far as it is known by then. */
export async function search(first: number, load: Search, known: Known, searching: Searching): Promise<void> {
  const { steps, take, warmUpTo } = searching
  const total = secondsOf(load)
  let each = total / Math.min(many.most, Math.max(many.least, Math.round(total / usualStep)))
  const inside = (rate: number) => Number(Math.min(load.max, Math.max(load.min, rate)).toPrecision(4))
  let rate = inside(first)
  let spoiled = 0
  for (let spent = 0; spent < total - each / 2 && spoiled < spoiledMost;) {
    const seconds = Math.round(Math.max(each, Math.min(enough.seconds, enough.requests / rate)))
    const step = await take({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true })
    if (isTooShort(step) && seconds < enough.seconds) {
      each = lengthAfter(step, seconds)
      continue
    }
    spent += (step.load.endedAt - step.load.startedAt) / 1000
    spoiled = isValid(step) ? 0 : spoiled + 1
    const estimate = spoiled ? null : estimateOf({ ...known, steps })
    if (!estimate) continue
    const { low, high } = estimate.capacity
    if (spent >= many.least * each && high / low - 1 <= 2 * load.precision) return
    rate = inside(nextRate(rate, estimate))
    // A process that started again after a death is as slow as at first, but clients that wait may end it, too.
    if (hasDied(step) && !steps.some((one) => one.purpose === 'warm-up' && hasDied(one))) await warmUpTo(margin * rate)
  }
}

const isTooShort = ({ reasons }: Step) => reasons.some(({ code }) => code === 'too-short')

/** Seconds for the step after one that was too short. */
function lengthAfter({ times }: Step, seconds: number): number {
  const needed = Math.ceil((executionsPerStep * (times?.ran.p50 ?? 0)) / 1000)
  return Math.min(enough.seconds, Math.max(2 * seconds, needed))
}

/**
 * Seconds of a turn: at the edge of what is known, longer where few requests come, and with clients that wait, as full
 * as n8n gets. In shorter ones chance shows two n8n as different that are the same (`make bench-answer`).
 */
const turns = { edge: 12, most: 20, full: 8, clients: 6, first: 1 }
/** However long they take. */
const fewestRounds = 2
/** Times what n8n finishes: it is full at once, and after the turn has worked that off in as long again. */
const overfull = 2

/**
 * For variants that are loaded in turns: each round is a step at this n8n's own edge, and one that fills it. `measure`
 * may wait until it is this n8n's turn.
 */
export async function drivePaired(load: Search, measure: Measure, known: Known): Promise<void> {
  const { steps, take } = kept(measure)
  const inside = (rate: number) => Number(Math.min(load.max, Math.max(load.min, rate)).toPrecision(4))
  const { reached, answersFirst } = await warmUp(take, { ...known, first: turns.first })
  let rate = inside(firstGuess(reached, known.slo))
  const enoughLoad = secondsOf(load) - (turns.edge + turns.full) / 2
  let each = turns.edge
  let [rounds, spent] = [0, 0]
  while (rounds < fewestRounds || spent < enoughLoad) {
    const seconds = Math.round(Math.max(each, Math.min(turns.most, enough.requests / rate)))
    const step = await take({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true })
    if (hasDied(step)) await warmUp(take, known, margin * rate)
    // Clients who are answered before the work would leave a backlog of minutes.
    const filling = answersFirst
      ? ({ kind: 'constant', rate: inside(overfull * Math.max(reached, ...finishedOf(steps, known.samples))) } as const)
      : ({ kind: 'closed', vus: turns.clients } as const)
    const full = await take(filling, turns.full, { purpose: 'full', endOnExit: true })
    if (isTooShort(step) && seconds < enough.seconds) each = lengthAfter(step, seconds)
    else {
      rounds++
      // With the time between them, in which n8n works off what the first left.
      spent += (full.load.endedAt - step.load.startedAt) / 1000
    }
    const estimate = estimateOf({ ...known, steps })
    if (estimate) rate = inside(nextRate(rate, estimate))
  }
}

/** Requests a second of each step, with the time in which n8n worked off what was left. */
function finishedOf(steps: Step[], samples: Iterable<Sample>): number[] {
  const looks = looksOf(samples)
  return steps.map((step) => workedOffIn(step, looks))
}

/**
 * Runs until the throughput is enough, has stopped growing for some rounds, or n8n dies; returns the best throughput,
 * and whether n8n answers before it works.
 */
export async function warmUp(
  measure: Measure,
  { samples, cores = 1, first, workOff }: Warming,
  enough = Infinity,
): Promise<{ reached: number; answersFirst: boolean }> {
  let reached = 0
  let busiest = 0
  let steady = 0
  let accepted = 0
  let clients = warmUpClients.first
  let answersFirst = false
  for (
    let round = 0;
    round < warmUps.most && steady < warmUps.rounds && (round <= warmUps.rounds || reached < enough);
    round++
  ) {
    const seconds = secondsOfRound(round, cores, first)
    const step = await measure({ kind: 'closed', vus: clients }, seconds, { purpose: 'warm-up', endOnExit: true })
    // A process that died finished nothing more, so the search can only begin from what it accepted.
    const looks = looksOf(samples)
    const finished = hasDied(step) ? step.load.throughput : finishedIn(step, looks)
    const busy = fullOf([step], looks)?.cores ?? finished
    const grows = busy > busiest * (1 + warmUpClients.grows)
    busiest = Math.max(busiest, busy)
    steady = finished > reached * (1 + warmUps.steady) ? 0 : steady + 1
    reached = Math.max(reached, finished)
    const waiting = step.accounting.waiting ?? 0
    // Clients who wait for their answers leave no more than one execution each. Those accepted in the previous round
    // had the time to end; executions may take a while.
    answersFirst =
      waiting > clients
      && (waiting > backlogEnough * finished
        || (round > 0 && finished < Math.min(accepted, step.load.throughput) / acceptedPerFinished))
    if (answersFirst && workOff) {
      // While it was asked it had hardly begun: what it sustains shows in the time that all of it took.
      const seconds = ((await workOff()) - step.load.startedAt) / 1000
      reached = Math.max(reached, step.load.accepted / seconds)
    }
    if (answersFirst || hasDied(step)) break
    accepted = step.load.throughput
    clients = round === 0 ? warmUpClients.second : Math.min(warmUpClients.most, grows ? 2 * clients : clients)
  }
  return { reached, answersFirst }
}

const hasDied = ({ reasons }: Pick<Step, 'reasons'>) => reasons.some(({ code }) => isDeath(code))
