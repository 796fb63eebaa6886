import { mean } from 'simple-statistics'
import { isValid } from '../judge/reasons.ts'
import { demandOfStep, finishedIn, fullOf, looksOf, workedOffIn } from '../judge/estimate/demand.ts'
import { estimateOf, firstGuess } from '../judge/estimate/estimate.ts'
import { isGettingFaster, isWarm, type FullRound } from '../judge/warmth.ts'
import { courseOf, peakOf } from '../load/course.ts'
import { isDeath } from '../model/event.ts'
import type { Estimate } from '../model/estimate.ts'
import type { Slo } from '../model/experiment.ts'
import type { Load, Search } from '../model/load.ts'
import type { Sample } from '../model/sample.ts'
import type { PlannedStep, Step } from '../model/step.ts'
import type { Measure } from './step.ts'

/**
 * A load whose clients wait for their answers fills n8n: that warms it up, and says what it does when it is full. As
 * many clients as keep it busy and no more, since those would only cost memory; twice as many while that makes it
 * busier. What it finishes would not say so: that grows by the warm-up alone.
 */
const clients = { first: 6, most: 256, grows: 0.05 }
/** Seconds of a round. Of a core: an n8n that may use less of one takes longer to do as much. */
const roundOf = { seconds: 4, most: 16 }
/** Rounds of a warm-up: until what an execution takes no longer falls, or for so many. */
const warmUps = { least: 4, most: 15 }
/** A given load needs fewer: it is not compared with what n8n can do at most. */
const givenLoad = { least: 3, most: 8 }
/** In turns: what all do when they are full is compared, so each has as many, and more while one is not warm yet. */
const fullTurns = { least: 10, most: 14, seconds: 5, filledSeconds: 3 }
/** In turns, rounds that say whether n8n answers before it works. The first is short, since it may leave a backlog. */
const firstRounds = { rounds: 2, first: 1 }
/** When n8n accepts this many times what it finishes, more load would only lengthen its backlog. */
const acceptedPerFinished = 1.5
/** Seconds of backlog that are as good as a warm-up. */
const backlogEnough = 8
/** Times what n8n finishes: it is full at once, and after the round has worked that off in as long again. */
const overfull = 2
/** Requests a second that fill one of which nothing is known to have been finished. */
const leastFilling = 1
/** A warm-up that reaches this many times the next rate is long enough: n8n gets no slower under less load. */
export const margin = 1.5

/** Rounds that n8n usually takes, and the seconds in which it works off what they leave. */
const usualWarmUp = { rounds: 7, between: 9 }

/** Seconds that the full turns of one n8n usually take, with the start of each. */
export const secondsOfTurns = fullTurns.least * (fullTurns.seconds + 1.3) + 10

const secondsOfRound = (cores: number): number => Math.round(Math.min(roundOf.most, roundOf.seconds / cores))

/** Seconds that a warm-up usually takes. */
export const secondsOfWarmUp = (cores: number): number =>
  usualWarmUp.rounds * secondsOfRound(cores) + usualWarmUp.between

/** What a warm-up goes by. */
export interface Warming {
  /** Grows while the load is on. */
  samples: Iterable<Sample>
  /** Of the process that may use least, at most 1. */
  cores?: number
  /** Waits until n8n has executed what earlier requests left, and returns when that was. */
  workOff?: () => Promise<number>
}

/** What a search knows beside its steps. */
interface Known extends Warming {
  slo: Slo
  /** No other n8n takes turns with it. */
  alone?: boolean
  /** Of n8n that take turns: all are filled by as many clients, since what is not full finishes more with more. */
  clients?: Clients
}

/** The steps of one repeat under one load shape; each depends on the results before it. */
export async function driveLoad(load: Load, measure: Measure, known: Known): Promise<void> {
  if (load.shape === 'search') {
    const { steps, take } = kept(measure)
    const { reached } = await fill(take, known, { purpose: 'warm-up', ...warmUps })
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

/** However long they take. */
const fewestSteps = 2

/**
 * For n8n that are loaded in turns; `measure` waits until it is this n8n's turn. First each is filled, which warms all
 * of them alike and compares them; then come steps at this n8n's own edge, from what its last full turns said.
 */
export async function drivePaired(load: Search, measure: Measure, known: Known): Promise<void> {
  const { steps, take } = kept(measure)
  const inside = (rate: number) => Number(Math.min(load.max, Math.max(load.min, rate)).toPrecision(4))
  const { rounds: first } = firstRounds
  const begun = await fill(take, known, { purpose: 'warm-up', least: first, most: first, first: firstRounds.first })
  const turns = known.alone ? { ...fullTurns, least: warmUps.least } : fullTurns
  const { reached } = await fill(take, known, { purpose: 'full', ...turns, begun, clients: known.clients })
  let rate = inside(firstGuess(reached, known.slo))
  const total = secondsOf(load)
  let each = load.step
  for (let [nth, spent] = [0, 0]; nth < fewestSteps || spent < total - each / 2;) {
    const seconds = Math.round(Math.max(each, Math.min(2 * each, enough.requests / rate)))
    const step = await take({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true })
    if (hasDied(step)) await warmUp(take, known, margin * rate)
    if (isTooShort(step) && seconds < enough.seconds) {
      each = lengthAfter(step, seconds)
      continue
    }
    nth++
    spent += (step.load.endedAt - step.load.startedAt) / 1000
    const estimate = estimateOf({ ...known, steps })
    if (estimate) rate = inside(nextRate(rate, estimate))
  }
}

/** Fills n8n until it sustains `enough` easily, or is warm. */
export const warmUp = (measure: Measure, warming: Warming, enough = Infinity): Promise<Filled> =>
  fill(measure, warming, { purpose: 'warm-up', ...(enough === Infinity ? warmUps : givenLoad), enough })

/** What n8n did when it was full. */
interface Filled {
  /** Executions a second, in its last rounds. */
  reached: number
  /** It answers before it works, so clients that wait would leave a backlog of minutes. */
  answersFirst: boolean
}

interface Filling {
  purpose: 'warm-up' | 'full'
  /** Rounds. */
  least: number
  most: number
  /** Seconds of a round, with clients that wait, and with a rate. */
  seconds?: number
  filledSeconds?: number
  /** Seconds of the first round. */
  first?: number
  /** Executions a second that are enough. */
  enough?: number
  /** What earlier rounds found. */
  begun?: Filled
  clients?: Clients
}

/** The last rounds say what it reaches: before them n8n was still warming up. */
const lastRounds = 3

/** Fills n8n in rounds until it is warm, is fast enough, or dies. */
async function fill(
  measure: Measure,
  { samples, cores = 1, workOff }: Warming,
  { purpose, least, most, enough = Infinity, begun, clients: choose = clientsNeeded(), ...of }: Filling,
): Promise<Filled> {
  const usual = of.seconds ?? secondsOfRound(cores)
  const rounds: FullRound[] = []
  const finished: number[] = []
  let { reached, answersFirst } = begun ?? { reached: 0, answersFirst: false }
  let accepted = 0
  for (let nth = 0; nth < most; nth++) {
    const seconds = nth === 0 && of.first ? of.first : answersFirst ? (of.filledSeconds ?? usual) : usual
    const shape: PlannedStep['shape'] = answersFirst
      ? { kind: 'constant', rate: Number(Math.max(leastFilling, overfull * reached).toPrecision(4)) }
      : { kind: 'closed', vus: choose.now }
    const step = await measure(shape, seconds, { purpose, endOnExit: true })
    // A process that died finished nothing more, so a search can only begin from what it accepted.
    if (hasDied(step)) return { reached: Math.max(reached, step.load.throughput), answersFirst }
    if (shape.kind === 'closed') {
      const done = finishedIn(step, looksOf(samples))
      const cameFirst = purpose === 'warm-up' && isAhead(step, { finished: done, accepted: nth > 0 ? accepted : 0 })
      answersFirst ||= cameFirst
      finished.push(cameFirst && workOff ? await finishedOnceDone(step, workOff) : done)
      choose.after(shape.vus, fullOf([step], looksOf(samples))?.cores ?? null, done)
    } else {
      if (purpose === 'warm-up') await workOff?.()
      finished.push(workedOffIn(step, looksOf(samples)))
    }
    reached = answersFirst ? Math.max(reached, ...finished) : mean(finished.slice(-lastRounds))
    accepted = step.load.throughput
    rounds.push({ executed: step.load.accepted, each: demandOfStep(step, looksOf(samples))?.each ?? null })
    const isDone = enough === Infinity ? isWarm(rounds) : reached >= enough && !isGettingFaster(rounds)
    if (nth + 1 >= least && isDone) break
  }
  return { reached, answersFirst }
}

/** While it was asked it had hardly begun: what it sustains shows in the time that all of it took. */
async function finishedOnceDone({ load }: Step, workOff: () => Promise<number>): Promise<number> {
  return (1000 * load.accepted) / ((await workOff()) - load.startedAt)
}

/**
 * Whether n8n answered far ahead of its work. Clients who wait for their answers leave no more than one execution each.
 * Those accepted in the previous round had the time to end; executions may take a while.
 */
function isAhead({ load, accounting }: Step, { finished, accepted }: { finished: number; accepted: number }): boolean {
  const waiting = accounting.waiting ?? 0
  return (
    waiting > (load.vus ?? 0)
    && (waiting > backlogEnough * finished
      || (accepted > 0 && finished < Math.min(accepted, load.throughput) / acceptedPerFinished))
  )
}

/** How many clients keep n8n busy. */
export interface Clients {
  readonly now: number
  /** What so many did. Cores are null where they cannot be seen. */
  after(clients: number, cores: number | null, finished: number): void
}

/** One round with twice as many says whether those are needed. */
export function clientsNeeded(): Clients {
  let [now, isKnown, busiest, most] = [clients.first, false, 0, 0]
  return {
    get now() {
      return now
    },
    after(used: number, cores: number | null, finished: number): void {
      // Where its CPU cannot be seen, what it finishes has to say it.
      const grows = cores === null ? finished > most * (1 + clients.grows) : cores > busiest * (1 + clients.grows)
      busiest = Math.max(busiest, cores ?? 0)
      most = Math.max(most, finished)
      // In turns, one may have begun before the other said how many are needed.
      if (isKnown || used !== now) return
      isKnown = !grows
      now = grows ? Math.min(clients.most, 2 * now) : Math.max(clients.first, now / 2)
    },
  }
}

const hasDied = ({ reasons }: Pick<Step, 'reasons'>) => reasons.some(({ code }) => isDeath(code))
