import type { Environment } from '../model/environment.ts'
import type { Step } from '../model/step.ts'
import { max, mean, median, min, sum } from './statistics.ts'

/** Above this share of its own cores, the generator cannot send faster, and what else runs on them waits. */
export const generatorFull = 0.9

/** Steps tell what a request takes of the generator where the highest rate is so many times the lowest. */
const apart = 1.5

/**
 * Requests a second up to which this machine can be trusted. More of them would fill the cores of the generator, and
 * the lab would measure those, and not n8n. A part of those cores is in use at any rate, by the lab itself. What a
 * request takes follows from the calibration, and from steps far enough apart: the calls that the mock answers are in
 * it, too. Null where neither tells.
 */
export function trustedRate(
  steps: Pick<Step, 'load' | 'purpose'>[],
  { calibration }: Pick<Environment, 'calibration'>,
): number | null {
  const seen = steps.flatMap(({ purpose, load: { coresBusy, shape, throughput } }) =>
    purpose !== 'warm-up' && shape !== 'course' && coresBusy != null ? [{ busy: coresBusy, rate: throughput }] : [],
  )
  const bare = calibration?.most ? generatorFull / calibration.most : 0
  const each = Math.max(bare, eachBySteps(seen))
  if (each === 0) return null
  const always = seen.length > 0 ? Math.max(0, median(seen.map(({ busy, rate }) => busy - each * rate))) : 0
  return Math.max(0, generatorFull - always) / each
}

/** The share of the cores that one more request a second takes, by least squares; 0 where the steps do not tell. */
function eachBySteps(seen: { busy: number; rate: number }[]): number {
  const rates = seen.map(({ rate }) => rate)
  if (seen.length < 2 || max(rates) < apart * min(rates)) return 0
  const [rate, busy] = [mean(rates), mean(seen.map((one) => one.busy))]
  return Math.max(
    0,
    sum(seen.map((one) => (one.rate - rate) * (one.busy - busy))) / sum(rates.map((one) => (one - rate) ** 2)),
  )
}
