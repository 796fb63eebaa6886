import { isValid } from './analyse/capacity.ts'
import type { ReasonCode, Step } from './analyse/summary.ts'
import { courseOf, peakOf } from './load/course.ts'
import type { LoadStep } from './load/step.ts'
import type { Load } from './profile/experiment.ts'
import type { StepOrder } from './run-step.ts'
import { nextRate, type SearchOptions, type Trial } from './search/next-rate.ts'

/** Drives one step and says what came of it. */
export type Measure = (shape: LoadStep['shape'], duration: number, rest: Pick<StepOrder, 'purpose' | 'endOnExit'>) => Promise<Step>

/** Clients of the warm-up: enough to fill one n8n, few enough not to hide it behind a queue. */
const warmUpClients = 8
const warmUpSeconds = 5
/** V8 compiles what runs often, and n8n's throughput nearly doubles within its first half minute under load. */
const warmUps = { most: 8, steady: 0.1, rounds: 2 }
/** n8n that finishes less than this part of what it accepts would be buried by more of it. */
const flood = 1.5
/** What reaches so much more than it will be asked for gets no worse under that; the first rounds pass what n8n does after its start. */
const ease = 1.5
/** A closed loop overstates what an open one carries at a good latency. */
const guess = 0.9

/** The steps of one repeat under one load shape, each depending on what the ones before it said. */
export async function driveLoad(load: Load, measure: Measure): Promise<void> {
  if (load.shape === 'closed') {
    await measure({ kind: 'closed', vus: load.vus }, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  if (load.shape !== 'search') {
    const shape = load.shape === 'constant' || load.shape === 'mixed' ? { kind: 'constant' as const, rate: load.rate } : courseOf(load)
    await warmUp(measure, ease * (shape.kind === 'constant' ? shape.rate : peakOf(shape)))
    await measure(shape, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  const reached = await warmUp(measure)
  await search({ ...load, start: guess * reached }, (rate) => measure({ kind: 'constant', rate }, load.step, { purpose: 'measure', endOnExit: true }))
}

async function search(options: SearchOptions, measureAt: (rate: number) => Promise<Step>): Promise<void> {
  const tried: Trial[] = []
  let spoiled = 0
  for (let rate = nextRate(tried, options); rate !== null && spoiled < spoiledMost; rate = nextRate(tried, options)) {
    const step = await measureAt(rate)
    if (isValid(step)) tried.push({ rate, holds: step.holds, late: isLate(step) })
    spoiled = isValid(step) ? 0 : spoiled + 1
  }
}

const isLate = ({ holds, reasons }: Step) => !holds && reasons.every(({ code }) => code === 'latency')

/** A generator that falls behind so often at one rate has met its own limit: what lies beyond says nothing of n8n. */
const spoiledMost = 2

/** Until the throughput is enough or has grown no more for some rounds, or n8n dies of it; returns the best throughput. */
async function warmUp(measure: Measure, enough = Infinity): Promise<number> {
  let reached = 0
  let steady = 0
  let accepted = 0
  for (let round = 0; round < warmUps.most && steady < warmUps.rounds && (round <= warmUps.rounds || reached < enough); round++) {
    const { load, reasons, accounting } = await measure({ kind: 'closed', vus: warmUpClients }, warmUpSeconds, { purpose: 'warm-up', endOnExit: true })
    // Accepted is not finished: what answers at once and works later would be believed to carry anything.
    const died = reasons.some(({ code }) => deaths.has(code))
    // One that died ended nothing more, so what it accepted is all there is to begin from.
    const finished = died ? load.throughput : Math.min(load.throughput, (accounting.finished ?? Infinity) / warmUpSeconds)
    steady = finished > reached * (1 + warmUps.steady) ? 0 : steady + 1
    reached = Math.max(reached, finished)
    // What was accepted in the round before had the time to end: executions may take a while.
    if (round > 0 && finished < Math.min(accepted, load.throughput) / flood) break
    accepted = load.throughput
    if (died) break
  }
  return reached
}

const deaths = new Set<ReasonCode>(['oom-killed', 'heap-exhausted', 'crashed'])
