import { isValid } from '../judge/reasons.ts'
import { tellOf } from '../judge/tries.ts'
import { peakOf } from '../load/course.ts'
import type { Load } from '../model/load.ts'
import type { Latency } from '../model/load-result.ts'
import { reasonMeaning, type PlannedStep, type Step } from '../model/step.ts'
import { shapeOf } from './drive-load.ts'
import type { Measure } from './step.ts'

/**
 * The load on an n8n that the lab did not start, and that others use. From one request a second on it rises only while
 * the objective holds. The first rate that misses it is the answer, and nothing higher is sent, whatever was asked.
 */

/** What the owner asks of it. */
export interface Others {
  /** Milliseconds. */
  p95: number
}

/** Requests a second, seconds at least, and answers that are enough to see a miss. */
const low = { first: 1, seconds: 5, answers: 14 }
/** Each rate over the last one, while answers take as long as at the beginning; and after that. */
const growth = { calm: 2, careful: 1.25 }
/**
 * Answers are as at the beginning up to this many times their usual time, and this share of the objective. Those that
 * take less than the least share are quick, however much their time changes.
 */
const calm = { times: 1.3, share: 0.25, least: 0.1 }
/** How often one rate is tried where chance, or the generator itself, may have decided. */
const tries = 3

export async function driveForeign(load: Load, measure: Measure, others: Others): Promise<void> {
  if (load.shape === 'search') {
    const { held, usual } = await rise(measure, load.max, others)
    return confirm(held, load.step, (rate, seconds) =>
      measure({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: true, usual }),
    )
  }
  const shape = shapeOf(load)
  const { missed, usual } = await rise(measure, highestIn(shape), others)
  if (missed) return
  for (const smaller of smallerThan(shape))
    if (isMiss(await measure(smaller, low.seconds, { purpose: 'warm-up', endOnExit: false, usual }))) return
  await measure(shape, load.duration, { purpose: 'measure', endOnExit: shape.kind === 'constant', usual })
}

/** Clients without a rate are begun with a few requests. */
const highestIn = (shape: PlannedStep['shape']): number =>
  shape.kind === 'closed' ? fewRequests : shape.kind === 'constant' ? shape.rate : peakOf(shape)
const fewRequests = 4

/** What comes at once is shown to hold in small first: half as many clients or callers, and so on down to one. */
function smallerThan(shape: PlannedStep['shape']): PlannedStep['shape'][] {
  if (shape.kind === 'closed') return halves(shape.vus).map((vus) => ({ kind: 'closed', vus }))
  if (shape.kind === 'constant') return []
  const stages = [{ rate: shape.from, seconds: low.seconds }]
  return halves(shape.waiting).map((waiting) => ({ kind: 'course', from: shape.from, stages, waiting }))
}

function halves(of: number): number[] {
  const all: number[] = []
  for (let half = Math.floor(of / 2); half >= 1; half = Math.floor(half / 2)) all.unshift(half)
  return all
}

interface Risen {
  /** The highest rate that held; null if none did. */
  held: number | null
  /** The step at the first rate that did not; null if all did. */
  missed: Step | null
  /** How long answers take while the load is low. */
  usual: Latency | undefined
}

/** Rises until the objective is missed, or to `most`. */
export async function rise(measure: Measure, most: number, { p95 }: Others): Promise<Risen> {
  let rate = Math.min(low.first, most)
  let held: number | null = null
  let usual: Latency | undefined
  for (;;) {
    const seconds = Math.max(low.seconds, Math.ceil(low.answers / rate))
    const step = await untilSure(() =>
      measure({ kind: 'constant', rate }, seconds, { purpose: 'warm-up', endOnExit: false, usual }),
    )
    if (isMiss(step)) return { held, missed: step, usual }
    held = rate
    const { latency } = step.load
    usual ??= latency ?? undefined
    if (rate >= most) return { held, missed: null, usual }
    const quick = usual && Math.max(calm.least * p95, Math.min(calm.times * usual.p95, calm.share * p95))
    const isCalm = latency && quick && latency.p95 <= quick
    rate = Math.min(most, Number((rate * (isCalm ? growth.calm : growth.careful)).toPrecision(3)))
  }
}

/** Once more where a few late answers, or a generator that was late itself, say little. Returns the last step. */
async function untilSure(drive: () => Promise<Step>): Promise<Step> {
  const steps: Step[] = []
  for (;;) {
    const step = await drive()
    steps.push(step)
    if (!isMiss(step) || steps.length === tries) return step
    const valid = steps.filter(isValid)
    if (isValid(step) && tellOf(valid).sure) return step
  }
}

/** Not where so few answers, or so short a time, say nothing. */
export const isMiss = ({ holds, reasons }: Pick<Step, 'holds' | 'reasons'>): boolean =>
  !holds && !reasons.every(({ code }) => reasonMeaning(code).remedy === 'longer')

/** Seconds: long enough to see what comes now and then. */
const confirmingFor = (step: number) => Math.min(3 * step, Math.max(30, step))

/** A rate that held for seconds may have been lucky: it has to hold for longer, or a lower one has to. */
async function confirm(
  held: number | null,
  step: number,
  drive: (rate: number, seconds: number) => Promise<Step>,
): Promise<void> {
  let rate = held
  for (let tried = 0; rate !== null && tried < tries; tried++) {
    if ((await drive(rate, confirmingFor(step))).holds) return
    rate = Number((rate / growth.careful).toPrecision(3))
  }
}
