import { sum } from 'simple-statistics'
import { encode } from '../model/distribution.ts'
import type { Latency, LoadResult } from '../model/load-result.ts'
import { requestsIn } from '../../scenarios/schedule.ts'
import { peakOf } from './course.ts'
import { scheduleOf } from './step.ts'
import type { PlannedStep } from '../model/step.ts'

/** The part of k6's end-of-test summary that a step needs. */
export interface K6Summary {
  state: { testRunDurationMs: number }
  metrics: Record<string, { values: Record<string, number> } | undefined>
}

/**
 * Percentiles that stand for all answers of a step. Each stands for those between two bounds: a thousandth of the
 * answers, and towards the slowest fewer, since an objective may allow one late answer in a thousand.
 */
const bounds = [
  ...range(0, 990, 1 / 1000),
  ...range(0, 90, 1 / 10_000).map((share) => 0.99 + share),
  ...range(0, 100, 1 / 100_000).map((share) => 0.999 + share),
  1,
]
function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: to - from }, (_, index) => (from + index) * step)
}
export const points = bounds.slice(1).map((bound, index) => ({
  percentile: Number((50 * (bound + bounds[index]!)).toFixed(5)),
  share: bound - bounds[index]!,
}))
export const statOf = (percentile: number) => `p(${percentile})`

/** What the generator saw, from the summaries of all parts that shared the load. */
export function readSummaries(
  parts: K6Summary[],
  step: PlannedStep,
  measured: { endedAt: number; generatorCpu: number | null },
): LoadResult {
  const { state, metrics } = parts.length === 1 ? parts[0]! : merged(parts)
  const count = (metric: string) => metrics[metric]?.values.count ?? 0
  const elapsed = state.testRunDurationMs
  const startedAt = measured.endedAt - elapsed
  const accepted = count('accepted')
  const failed = failuresIn(metrics)
  const { shape } = step
  const requests = accepted + sum(Object.values(failed))
  const scheduled = shape.kind !== 'closed'
  // The end of the schedule, unless the step ended early. Answers may come later, and the last request is due earlier.
  const end = startedAt + step.duration * 1000
  const endedAt = scheduled && requests >= requestsIn(scheduleOf(step)) ? end : Math.min(end, measured.endedAt)
  return {
    shape: shape.kind,
    rate: shape.kind === 'constant' ? shape.rate : shape.kind === 'course' ? peakOf(shape) : null,
    vus: shape.kind === 'closed' ? shape.vus : null,
    startedAt,
    endedAt,
    requests,
    accepted,
    failures: failed,
    dropped: failed.unsent ?? 0,
    ...(scheduled && { arrivals: step.arrivals ?? 'random', lag: lagOf(metrics.lag?.values) }),
    throughput: accepted / ((scheduled ? endedAt - startedAt : elapsed) / 1000),
    ...(count('stopped_latency') > 0 && { stopped: 'latency' as const }),
    ...answersOf(metrics.answer?.values),
    ...(step.mix && {
      parts: step.mix.map(({ workflow }, index) => ({
        workflow,
        accepted: count(`accepted_${index}`),
        failed: count(`failed_${index}`),
        ...answersOf(metrics[`answer_${index}`]?.values),
      })),
    }),
    generatorCpu: measured.generatorCpu,
  }
}

function failuresIn(metrics: K6Summary['metrics']): Record<string, number> {
  const prefix = 'failure_'
  return Object.fromEntries(
    Object.entries(metrics)
      .filter(([name, metric]) => name.startsWith(prefix) && metric!.values.count)
      .map(([name, metric]) => [name.slice(prefix.length), metric!.values.count!]),
  )
}

type Trend = Record<string, number>

function lagOf(values: Trend | undefined): LoadResult['lag'] {
  return values?.count ? { p95: values['p(95)']!, p99: values['p(99)']!, 'p99.9': values['p(99.9)']! } : null
}

function answersOf(values: Trend | undefined): { latency: Latency | null; distribution?: string } {
  if (!values?.count) return { latency: null }
  const distribution = distributionOf(values)
  return {
    latency: {
      mean: values.avg!,
      p50: values.med!,
      p90: values['p(90)']!,
      p95: values['p(95)']!,
      p99: values['p(99)']!,
      ...('p(99.9)' in values && { 'p99.9': values['p(99.9)']! }),
      max: values.max!,
    },
    ...(distribution !== undefined && { distribution }),
  }
}

/** Turns k6's percentiles into the stored histogram; undefined if they were not asked for. */
export function distributionOf(values: Trend): string | undefined {
  const { count = 0, max } = values
  if (count === 0 || values[statOf(points[0]!.percentile)] === undefined) return undefined
  // Each answer keeps its place among all. The last is the slowest, which k6 reports exactly.
  const upTo = (share: number) => Math.ceil(share * (count - 1))
  return encode([
    ...points.map(({ percentile }, index) => ({
      value: values[statOf(percentile)]!,
      count: upTo(bounds[index + 1]!) - upTo(bounds[index]!),
    })),
    { value: max!, count: 1 },
  ])
}

/**
 * The summary of a load that several k6 shared. Percentiles of parts cannot be averaged, so they come from the
 * distributions of all parts together.
 */
function merged(parts: K6Summary[]): K6Summary {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))]
  const of = (name: string): Trend[] => parts.flatMap(({ metrics }) => (metrics[name] ? [metrics[name].values] : []))
  return {
    state: { testRunDurationMs: Math.max(...parts.map(({ state }) => state.testRunDurationMs)) },
    metrics: Object.fromEntries(
      names.map((name) => {
        const values = of(name)
        return [name, { values: values.some(isTrend) ? mergedTrend(values) : { count: sum(values.map(countIn)) } }]
      }),
    ),
  }
}

const countIn = ({ count = 0 }: Trend) => count
const isTrend = (values: Trend) => 'med' in values

function mergedTrend(all: Trend[]): Trend {
  const trends = all.filter(({ count }) => count)
  const count = sum(trends.map(countIn))
  if (count === 0) return { count }
  const weighted = trends
    .flatMap((trend) =>
      points.map(({ percentile, share }) => ({ value: trend[statOf(percentile)]!, weight: trend.count! * share })),
    )
    .sort((a, b) => a.value - b.value)
  const at = (percentiles: number[]) => {
    let [next, before] = [0, 0]
    return percentiles.map((percentile) => {
      while (next < weighted.length - 1 && before + weighted[next]!.weight < (count * percentile) / 100)
        before += weighted[next++]!.weight
      return weighted[next]!.value
    })
  }
  const told = [50, 90, 95, 99, 99.9]
  const [median, ...others] = at(told)
  const shape = at(points.map(({ percentile }) => percentile))
  return {
    count,
    avg: sum(trends.map((trend) => trend.avg! * trend.count!)) / count,
    max: Math.max(...trends.map(({ max }) => max!)),
    med: median!,
    ...Object.fromEntries(points.map(({ percentile }, index) => [statOf(percentile), shape[index]!])),
    ...Object.fromEntries(told.slice(1).map((percentile, index) => [statOf(percentile), others[index]!])),
  }
}
