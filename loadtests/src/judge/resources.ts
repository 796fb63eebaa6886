import type { Resources, Result } from '../model/result.ts'
import type { QueueSample, Sample } from '../model/sample.ts'
import type { Step } from '../model/step.ts'
import { groupBy, sum } from './statistics.ts'
import { openFigureTally, type FigureTally } from './tally.ts'

type Limits = Record<string, Resources['limit']>

/** What each process used under load. Warm-up, pauses and the wait for the last executions do not count. */
export function resourcesOf(samples: Iterable<Sample>, steps: Step[], limits: Limits): Resources[] {
  const measured = steps.filter((step) => step.purpose === 'measure')
  const used = new Map<string, Record<'cpu' | 'rss' | 'heapUsed', FigureTally>>()
  for (const { process, at, cpu, rss, heapUsed } of samples) {
    if (!isUnderLoad(at, measured)) continue
    const own = used.get(process) ?? { cpu: openFigureTally(), rss: openFigureTally(), heapUsed: openFigureTally() }
    used.set(process, own)
    own.cpu.add(cpu)
    own.rss.add(within(rss, limits[process]))
    own.heapUsed.add(heapUsed)
  }
  return [...used].map(([process, { cpu, rss, heapUsed }]) => ({
    process,
    cpu: meanAndMax(cpu),
    rss: meanAndMax(rss),
    heapUsed: heapUsed.count ? { max: heapUsed.max } : null,
    requests: answeredBy(process, measured),
    limit: limits[process] ?? { cpu: null, memory: null },
  }))
}

/** The length of the queue under load. */
export function queueLength(looks: QueueSample[], steps: Step[]): Result['waiting'] {
  const measured = steps.filter((step) => step.purpose === 'measure')
  const all = openFigureTally()
  for (const { at, waiting } of looks) if (isUnderLoad(at, measured)) all.add(waiting)
  return meanAndMax(all)
}

/** The system charges shared pages to one process only, so a process may hold more than it is charged for. */
const within = (bytes: number | null, limit: Resources['limit'] | undefined) =>
  bytes === null ? null : Math.min(bytes, limit?.memory ?? Infinity)

const isUnderLoad = (at: number, steps: Step[]): boolean =>
  steps.some(({ load }) => at >= load.startedAt && at <= load.endedAt)

/**
 * The peaks of all processes added up, for each round: the memory that has to be there. Null where no peak was seen.
 */
export function peaksOf(samples: Iterable<Sample>, steps: Step[], limits: Limits): Array<number | null> {
  return [...byRound(steps).values()].map((own) => {
    const peaks = resourcesOf(samples, own, limits).flatMap(({ rss }) => (rss ? [rss.max] : []))
    return peaks.length ? sum(peaks) : null
  })
}

/** CPU seconds for each request, over all processes, for each round; null where unknown. */
export function cpuPerRequest(samples: Iterable<Sample>, steps: Step[]): Array<number | null> {
  return [...byRound(steps).values()].map((own) => {
    const cores = resourcesOf(samples, own, {}).flatMap(({ cpu }) => (cpu ? [cpu.mean] : []))
    const accepted = sum(own.map(({ load }) => load.accepted))
    const seconds = sum(own.map(({ load }) => load.endedAt - load.startedAt)) / 1000
    return cores.length && accepted ? (sum(cores) * seconds) / accepted : null
  })
}

/** The measured steps by round: a repeat, and of a given load in turns, each turn. */
export function byRound(steps: Step[]): Map<string, Step[]> {
  const searches = steps.some(({ purpose }) => purpose === 'full')
  return groupBy(
    steps.filter(({ purpose }) => purpose === 'measure'),
    ({ repeat, turn = 0 }) => (searches ? `${repeat}` : `${repeat}.${turn}`),
  )
}

function answeredBy(process: string, steps: Step[]): number | null {
  const counts = steps.flatMap(({ spread }) => spread[process] ?? [])
  return counts.length === 0 ? null : sum(counts)
}

const meanAndMax = ({ count, mean, max }: FigureTally) => (count ? { mean, max } : null)
