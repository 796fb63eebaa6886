import { isValid } from '../analyse/capacity.ts'
import { answersFor } from '../analyse/lateness.ts'
import type { Step } from '../analyse/summary.ts'
import { tellOf } from '../analyse/tries.ts'
import { courseOf, peakOf } from '../load/course.ts'
import type { LoadStep } from '../load/step.ts'
import type { Load } from '../profile/experiment.ts'
import { nextRate, type SearchOptions, type Trial } from '../search/next-rate.ts'
import { isDeath } from '../shared/deaths.ts'
import type { StepOrder } from './step.ts'

/** Drives one step and says what came of it. */
export type Measure = (
  shape: LoadStep['shape'],
  duration: number,
  rest: Pick<StepOrder, 'purpose' | 'endOnExit'>,
) => Promise<Step>

/** Clients of the warm-up: enough to fill one n8n, few enough not to hide it behind a queue. */
const warmUpClients = 8
const warmUpSeconds = 5
/** V8 compiles what runs often, and n8n's throughput nearly doubles within its first half minute under load. */
const warmUps = { most: 8, steady: 0.1, rounds: 2 }
/** n8n that accepts so many times what it finishes would be buried by more of it. */
const acceptedPerFinished = 1.5
/**
 * A warm-up that reaches so many times the rate to come is long enough: n8n gets no slower under less. Its first rounds
 * are driven anyway, past what n8n does after its start.
 */
export const margin = 1.5
/** A closed loop overstates what an open one carries at a good latency. */
const openShareOfClosed = 0.9

/** The steps of one repeat under one load shape, each depending on what the ones before it said. */
export async function driveLoad(load: Load, measure: Measure): Promise<void> {
  if (load.shape === 'closed') {
    await measure({ kind: 'closed', vus: load.vus }, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  if (load.shape !== 'search') {
    const shape =
      load.shape === 'constant' || load.shape === 'mixed'
        ? { kind: 'constant' as const, rate: load.rate }
        : courseOf(load)
    await warmUp(measure, margin * (shape.kind === 'constant' ? shape.rate : peakOf(shape)))
    await measure(shape, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  const reached = await warmUp(measure)
  const measureAt = untilItTells(load.step, (rate, seconds) =>
    measure({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true }),
  )
  await search({ ...load, start: openShareOfClosed * reached }, measureAt, (enough) => warmUp(measure, enough))
}

/** So many executions long a step is made that was too short for them, in seconds at most. */
const executionsPerStep = 2.4
const longestStep = 60
/** So many times the length of a step may be spent on one rate, until its answers are enough to tell. */
const stepsPerRate = 3

/**
 * Drives a rate until its answers tell whether it holds: in a step long enough for its executions, and again where
 * chance may have decided.
 */
function untilItTells(
  step: number,
  drive: (rate: number, seconds: number) => Promise<Step>,
): (rate: number) => Promise<Step[]> {
  let least = step
  return async (rate) => {
    const steps: Step[] = []
    let spent = 0
    while (true) {
      const left = stepsPerRate * least - spent
      const seconds = steps.length ? least : Math.min(left, Math.max(least, Math.ceil(enoughAnswers / rate)))
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
      if (told || !isValid(driven) || spent + least > stepsPerRate * least) return steps
    }
  }
}

/** With fewer, even the earliest cannot show that 95 % of all come in time; some do not count. */
const enoughAnswers = Math.ceil(answersFor(0.05) / 0.9)

async function search(
  options: SearchOptions,
  measureAt: (rate: number) => Promise<Step[]>,
  warmUpTo: (enough: number) => Promise<unknown>,
): Promise<void> {
  const tried: Trial[] = []
  let spoiled = 0
  let cold = false
  for (let rate = nextRate(tried, options); rate !== null && spoiled < spoiledMost; rate = nextRate(tried, options)) {
    // Who was started anew after a death is as slow as at the first start.
    if (cold) await warmUpTo(margin * rate)
    const steps = await measureAt(rate)
    const valid = steps.filter(isValid)
    cold = hasDied(steps.at(-1)!)
    if (valid.length) tried.push({ rate, holds: tellOf(valid).holds, late: valid.length === 1 && isLate(valid[0]!) })
    spoiled = valid.length ? 0 : spoiled + 1
  }
}

const isLate = ({ holds, reasons }: Step) => !holds && reasons.every(({ code }) => code === 'latency')

/** A generator that falls behind so often at one rate has met its own limit: what lies beyond says nothing of n8n. */
const spoiledMost = 2

/**
 * Until the throughput is enough or has grown no more for some rounds, or n8n dies of it; returns the best throughput.
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
    // Accepted is not finished: what answers at once and works later would be believed to carry anything.
    const died = hasDied({ reasons })
    // One that died ended nothing more, so what it accepted is all there is to begin from.
    const finished = died
      ? load.throughput
      : Math.min(load.throughput, (accounting.finished ?? Infinity) / warmUpSeconds)
    steady = finished > reached * (1 + warmUps.steady) ? 0 : steady + 1
    reached = Math.max(reached, finished)
    // What was accepted in the round before had the time to end: executions may take a while.
    if (round > 0 && finished < Math.min(accepted, load.throughput) / acceptedPerFinished) break
    accepted = load.throughput
    if (died) break
  }
  return reached
}

const hasDied = ({ reasons }: Pick<Step, 'reasons'>) => reasons.some(({ code }) => isDeath(code))
