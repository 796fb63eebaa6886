import { groupBy, max, mean, sum } from './statistics.ts'
import type { QueueSample, Sample } from '../model/sample.ts'
import type { Resources, Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'

/** What each process used under load. Warm-up, pauses and the wait for the last executions do not count. */
export function resourcesOf(samples: Sample[], steps: Step[], limits: Record<string, Resources['limit']>): Resources[] {
  const measured = steps.filter((step) => step.purpose === 'measure')
  return [...groupBy(underLoad(samples, measured), (sample) => sample.process)].map(([process, own]) => ({
    process,
    cpu: meanAndMax(own.map((sample) => sample.cpu)),
    rss: meanAndMax(own.map((sample) => within(sample.rss, limits[process]))),
    heapUsed: highest(own.map((sample) => sample.heapUsed)),
    requests: answeredBy(process, measured),
    limit: limits[process] ?? { cpu: null, memory: null },
  }))
}

/** The length of the queue under load. */
export function waitingOf(samples: QueueSample[], steps: Step[]): Result['waiting'] {
  return meanAndMax(
    underLoad(
      samples,
      steps.filter((step) => step.purpose === 'measure'),
    ).map(({ waiting }) => waiting),
  )
}

/** The system charges shared pages to one process only, so a process may hold more than it is charged for. */
const within = (bytes: number | null, limit: Resources['limit'] | undefined) =>
  bytes === null ? null : Math.min(bytes, limit?.memory ?? Infinity)

const underLoad = <Seen extends { at: number }>(samples: Seen[], steps: Step[]): Seen[] =>
  samples.filter(({ at }) => steps.some(({ load }) => at >= load.startedAt && at <= load.endedAt))

/**
 * The peaks of all processes added up, for each repeat: the memory that has to be there. Null where no peak was seen.
 */
export function peaksOf(
  samples: Sample[],
  steps: Step[],
  limits: Record<string, Resources['limit']>,
): Array<number | null> {
  return [...byRepeat(steps).values()].map((own) => {
    const peaks = resourcesOf(samples, own, limits).flatMap(({ rss }) => (rss ? [rss.max] : []))
    return peaks.length ? sum(peaks) : null
  })
}

/** CPU seconds for each request, over all processes, for each repeat; null where unknown. */
export function cpuPerRequest(samples: Sample[], steps: Step[]): Array<number | null> {
  return [...byRepeat(steps).values()].map((own) => {
    const cores = resourcesOf(samples, own, {}).flatMap(({ cpu }) => (cpu ? [cpu.mean] : []))
    const accepted = sum(own.map(({ load }) => load.accepted))
    const seconds = sum(own.map(({ load }) => load.endedAt - load.startedAt)) / 1000
    return cores.length && accepted ? (sum(cores) * seconds) / accepted : null
  })
}

/** The measured steps, grouped by repeat. */
export const byRepeat = (steps: Step[]): Map<number, Step[]> =>
  groupBy(
    steps.filter(({ purpose }) => purpose === 'measure'),
    ({ repeat }) => repeat,
  )

function answeredBy(process: string, steps: Step[]): number | null {
  const counts = steps.flatMap(({ spread }) => spread[process] ?? [])
  return counts.length === 0 ? null : sum(counts)
}

function meanAndMax(values: Array<number | null>): { mean: number; max: number } | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : { mean: mean(known), max: max(known) }
}

function highest(values: Array<number | null>): { max: number } | null {
  const found = meanAndMax(values)
  return found && { max: found.max }
}
