import type { Environment } from '../model/environment.ts'
import type { Step } from '../model/step.ts'

/** Above this share of its own cores, the generator cannot send faster, and what else runs on them waits. */
export const generatorFull = 0.9

/** Below this share the CPU of a step is mostly that of its beginning and its end, and tells nothing of its rate. */
const telling = 0.1

/**
 * Requests a second up to which this machine can be trusted. More of them would fill the cores of the generator, and
 * the lab would measure those, and not n8n. From what the steps of this workload took of them, all programs
 * there included; from the calibration where no step tells. Null where neither does.
 */
export function trustedRate(
  steps: Pick<Step, 'load' | 'purpose'>[],
  { calibration }: Pick<Environment, 'calibration'>,
): number | null {
  const seen = steps.flatMap(({ purpose, load: { coresBusy, shape, throughput } }) =>
    purpose === 'measure' && shape !== 'course' && (coresBusy ?? 0) > telling
      ? [{ coresBusy: coresBusy!, rate: (generatorFull * throughput) / coresBusy! }]
      : [],
  )
  // The busiest step is closest to the limit.
  const busiest = seen.toSorted((a, b) => b.coresBusy - a.coresBusy)[0]
  return busiest?.rate ?? calibration?.most ?? null
}
