import { isValid } from '../judge/capacity.ts'
import { answersFor } from '../judge/lateness.ts'
import { tellOf } from '../judge/tries.ts'
import { courseOf, peakOf } from '../load/course.ts'
import { bracket, nextRate, type SearchOptions, type Trial } from '../judge/search/next-rate.ts'
import { isDeath } from '../model/event.ts'
import type { Measure } from './step.ts'
import type { PlannedStep, Step } from '../model/step.ts'
import type { Load, Search } from '../model/load.ts'

/** Clients of the warm-up: enough to keep one n8n busy, too few for a long queue. */
const warmUpClients = 8
const warmUpSeconds = 5
/** V8 compiles what runs often, and n8n's throughput nearly doubles within its first half minute under load. */
const warmUps = { most: 8, steady: 0.1, rounds: 2 }
/** When n8n accepts this many times what it finishes, more load would only lengthen its backlog. */
const acceptedPerFinished = 1.5
/**
 * A warm-up that reaches this many times the next rate is long enough: n8n gets no slower under less load. Its first
 * rounds run in any case, until n8n has finished the work of its start.
 */
export const margin = 1.5
/** A closed loop overstates the rate that an open load carries at a good latency. */
const openShareOfClosed = 0.9

/** The steps of one repeat under one load shape; each depends on the results before it. */
export async function driveLoad(load: Load, measure: Measure): Promise<void> {
  if (load.shape !== 'search') {
    const shape = shapeOf(load)
    // Clients that send as fast as they are answered are a warm-up of their own.
    if (shape.kind !== 'closed')
      await warmUp(measure, margin * (shape.kind === 'constant' ? shape.rate : peakOf(shape)))
    await measure(shape, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  const timed = within(load.budget, measure)
  const reached = await warmUp(timed.measure)
  await searchFrom(openShareOfClosed * reached, load, timed, (enough) => warmUp(timed.measure, enough))
}

/** Steps, and the seconds that are left of the budget for all of them. */
interface Timed {
  measure: Measure
  left(): number
}

/** By the times of the steps themselves. */
export function within(budget: number | undefined, measure: Measure): Timed {
  let began: number | undefined
  let spent = 0
  return {
    measure: async (...asked) => {
      const step = await measure(...asked)
      began ??= step.load.startedAt
      spent = (step.load.endedAt - began) / 1000
      return step
    },
    left: () => (budget === undefined ? Infinity : budget - spent),
  }
}

export function shapeOf(load: Exclude<Load, Search>): PlannedStep['shape'] {
  if (load.shape === 'closed') return { kind: 'closed', vus: load.vus }
  return load.shape === 'constant' || load.shape === 'mixed' ? { kind: 'constant', rate: load.rate } : courseOf(load)
}

export function searchFrom(
  start: number,
  load: Search,
  { measure, left }: Timed,
  warmUpTo: (enough: number) => Promise<unknown>,
): Promise<void> {
  let longest = load.step
  const confirming = () => Math.max(longest, confirmingFor(load.step))
  // What a search has found by then has to be confirmed.
  const leftToSearch = () => left() - confirming()
  const drive = (rate: number, seconds: number) => {
    longest = Math.max(longest, seconds)
    return measure({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true })
  }
  // What is left of a budget goes to the step whose answers say most.
  const confirmAt = (rate: number) =>
    measure(
      { kind: 'constant', rate },
      Number.isFinite(left()) ? Math.max(confirming(), Math.floor(left())) : confirming(),
      { purpose: 'measure', confirms: true, endOnExit: true },
    )
  return search(
    { ...load, start },
    { measureAt: untilItTells(load.step, drive, leftToSearch), confirmAt, warmUpTo, leftToSearch },
  )
}

/** Seconds: long enough to see what comes now and then. */
export const confirmingFor = (step: number) => Math.min(3 * step, Math.max(30, step))

/** A step that was too short is repeated with the length of this many executions, but at most this many seconds. */
const executionsPerStep = 2.4
const longestStep = 60
/** One rate may take at most this many times the length of a step, until its answers are enough to decide. */
const stepsPerRate = 3

/**
 * Drives a rate until its answers decide whether it holds: in a step long enough for its executions, and again where
 * chance may have decided.
 */
function untilItTells(
  step: number,
  drive: (rate: number, seconds: number) => Promise<Step>,
  left: () => number,
): (rate: number) => Promise<Step[]> {
  let least = step
  return async (rate) => {
    const steps: Step[] = []
    let spent = 0
    while (true) {
      const most = stepsPerRate * least - spent
      const seconds = steps.length ? least : Math.min(most, Math.max(least, Math.ceil(enoughAnswers / rate)))
      const driven = await drive(rate, seconds)
      if (driven.reasons.some(({ code }) => code === 'too-short') && seconds < longestStep) {
        least = Math.min(
          longestStep,
          Math.max(2 * seconds, Math.ceil((executionsPerStep * driven.times!.ran.p50) / 1000)),
        )
        continue
      }
      steps.push(driven)
      spent += seconds
      const told = isValid(driven) && tellOf(steps.filter(isValid)).sure
      if (told || !isValid(driven) || spent + least > stepsPerRate * least || left() < least) return steps
    }
  }
}

/** With fewer answers, even the fastest cannot show that 95 % of all come in time; some do not count. */
const enoughAnswers = Math.ceil(answersFor(0.05) / 0.9)

interface SearchMeans {
  measureAt(rate: number): Promise<Step[]>
  confirmAt(rate: number): Promise<Step>
  warmUpTo(enough: number): Promise<unknown>
  /** Seconds until the confirmation has to begin. */
  leftToSearch(): number
}

async function search(
  options: SearchOptions & Pick<Search, 'step'>,
  { measureAt, confirmAt, warmUpTo, leftToSearch }: SearchMeans,
): Promise<void> {
  const tried: Trial[] = []
  let spoiled = 0
  let cold = false
  // Without a rate that held there is nothing to confirm.
  const isOver = () => leftToSearch() < options.step && bracket(tried).held !== null
  for (
    let rate = nextRate(tried, options);
    rate !== null && spoiled < spoiledMost && !isOver();
    rate = nextRate(tried, options)
  ) {
    // A process that started again after a death is as slow as at the first start.
    if (cold) await warmUpTo(margin * rate)
    const steps = await measureAt(rate)
    const valid = steps.filter(isValid)
    cold = hasDied(steps.at(-1)!)
    if (valid.length) tried.push({ rate, holds: tellOf(valid).holds, late: valid.length === 1 && isLate(valid[0]!) })
    spoiled = valid.length ? 0 : spoiled + 1
  }
  const { held } = bracket(tried)
  // A rate that held in short steps may have been lucky: it has to hold for longer, or a lower one has to.
  let rate = held
  for (let tries = 1; rate !== null && rate >= options.min && tries <= confirmations; tries++) {
    if (cold) await warmUpTo(margin * rate)
    const step = await confirmAt(rate)
    if (!isValid(step) || step.holds) return
    cold = hasDied(step)
    rate = Number((rate / (1 + options.precision) ** tries).toPrecision(3))
  }
}

/** The last one asks for less than half. */
const confirmations = 5

const isLate = ({ holds, reasons }: Step) => !holds && reasons.every(({ code }) => code === 'latency')

/** A generator that falls behind this often at one rate is at its own limit: higher rates say nothing about n8n. */
const spoiledMost = 2

/**
 * Runs until the throughput is enough, has stopped growing for some rounds, or n8n dies; returns the best throughput.
 */
export async function warmUp(measure: Measure, enough = Infinity): Promise<number> {
  let reached = 0
  let steady = 0
  let accepted = 0
  for (
    let round = 0;
    round < warmUps.most && steady < warmUps.rounds && (round <= warmUps.rounds || reached < enough);
    round++
  ) {
    const { load, reasons, accounting } = await measure({ kind: 'closed', vus: warmUpClients }, warmUpSeconds, {
      purpose: 'warm-up',
      endOnExit: true,
    })
    // Accepted is not finished: an n8n that answers at once and works later would seem to carry any rate.
    const died = hasDied({ reasons })
    // A process that died finished nothing more, so the search can only begin from what it accepted.
    const finished = died
      ? load.throughput
      : Math.min(load.throughput, ((accounting.finished ?? Infinity) + (accounting.unknown ?? 0)) / warmUpSeconds)
    steady = finished > reached * (1 + warmUps.steady) ? 0 : steady + 1
    reached = Math.max(reached, finished)
    // Executions accepted in the previous round had the time to end; executions may take a while.
    if (round > 0 && finished < Math.min(accepted, load.throughput) / acceptedPerFinished) break
    accepted = load.throughput
    if (died) break
  }
  return reached
}

const hasDied = ({ reasons }: Pick<Step, 'reasons'>) => reasons.some(({ code }) => isDeath(code))
