import type { Load } from '../model/load.ts'
import type { PlannedStep } from '../model/step.ts'
import { kept, type Known, search, shapeOf } from './drive-load.ts'
import type { Measure } from './step.ts'

/** The load on an n8n that the lab did not start: it begins low. */
export async function driveForeign(load: Load, measure: Measure, known: Known): Promise<void> {
  if (load.shape === 'search') {
    const { steps, take } = kept(measure)
    const reached = await beginLow(take, load.max)
    const warmUpTo = (enough: number) => beginLow(take, Math.min(enough, load.max))
    return search(reached, load, known, { steps, take, warmUpTo })
  }
  const shape = shapeOf(load)
  await beginLow(measure, beginningOf(shape))
  await measure(shape, load.duration, { purpose: 'measure', endOnExit: false })
}

/** The rate with which the load itself begins. Clients without a rate are begun with a few requests. */
const beginningOf = (shape: PlannedStep['shape']): number =>
  shape.kind === 'closed' ? fewRequests : shape.kind === 'constant' ? shape.rate : shape.from
const fewRequests = 4

/** Requests a second, seconds, and as many rounds as a warm-up has at least. */
const low = { first: 1, seconds: 5, rounds: 3 }

/** Reasons that say nothing of n8n, and that so few requests always have. */
const saysNothing = new Set<string>(['too-few', 'too-short'])

/**
 * The warm-up of an n8n that the lab did not start. From one request a second on the rate doubles, for as long as all
 * is well, and never past `most`. Returns the highest rate that was well.
 */
export async function beginLow(measure: Measure, most: number): Promise<number> {
  let rate = Math.min(low.first, most)
  let reached = rate
  for (let round = 1; ; round++) {
    const { reasons } = await measure({ kind: 'constant', rate }, low.seconds, { purpose: 'warm-up', endOnExit: true })
    if (!reasons.every(({ code }) => saysNothing.has(code))) return reached
    reached = rate
    if (rate === most && round >= low.rounds) return reached
    rate = Math.min(most, 2 * rate)
  }
}
