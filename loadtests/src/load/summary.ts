import { sum } from 'simple-statistics'
import { peakOf } from './course.ts'
import { distributionOf } from './points.ts'
import type { Latency, LoadResult } from '../model/load-result.ts'
import { requestsIn } from '../../scenarios/schedule.ts'
import { scheduleOf } from './step.ts'
import type { PlannedStep } from '../model/step.ts'

/** The part of k6's end-of-test summary that a step needs. */
export interface K6Summary {
  state: { testRunDurationMs: number }
  metrics: Record<string, { values: Record<string, number> } | undefined>
}

export function readSummary(
  summary: K6Summary,
  step: PlannedStep,
  measured: { endedAt: number; generatorCpu: number | null },
): LoadResult {
  const count = (metric: string) => summary.metrics[metric]?.values.count ?? 0
  const elapsed = summary.state.testRunDurationMs
  const startedAt = measured.endedAt - elapsed
  const accepted = count('accepted')
  const failed = failures(summary)
  const { shape } = step
  const requests = accepted + sum(Object.values(failed))
  // The end of the schedule, unless the step ended early. Answers may come later, and the last request is due earlier.
  const end = startedAt + step.duration * 1000
  const endedAt =
    shape.kind !== 'closed' && requests >= requestsIn(scheduleOf(step)) ? end : Math.min(end, measured.endedAt)
  const distribution = distributionOf(summary.metrics.answer?.values ?? {})
  const ofPart = (index: number) => distributionOf(summary.metrics[`answer_${index}`]?.values ?? {})
  const scheduled = shape.kind !== 'closed'
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
    ...(scheduled && { arrivals: step.arrivals ?? 'random', lag: lagOf(summary) }),
    throughput: accepted / ((scheduled ? endedAt - startedAt : elapsed) / 1000),
    latency: latencyOf(summary, 'answer'),
    ...(distribution !== undefined && { distribution }),
    ...(step.mix && {
      parts: step.mix.map(({ workflow }, index) => ({
        workflow,
        accepted: count(`accepted_${index}`),
        failed: count(`failed_${index}`),
        latency: latencyOf(summary, `answer_${index}`),
        ...(ofPart(index) !== undefined && { distribution: ofPart(index) }),
      })),
    }),
    generatorCpu: measured.generatorCpu,
  }
}

function failures({ metrics }: K6Summary): Record<string, number> {
  const prefix = 'failure_'
  return Object.fromEntries(
    Object.entries(metrics)
      .filter(([name, metric]) => name.startsWith(prefix) && metric!.values.count)
      .map(([name, metric]) => [name.slice(prefix.length), metric!.values.count!]),
  )
}

function lagOf({ metrics }: K6Summary): LoadResult['lag'] {
  const values = metrics.lag?.values
  return values?.count ? { p95: values['p(95)']!, p99: values['p(99)']!, 'p99.9': values['p(99.9)']! } : null
}

function latencyOf({ metrics }: K6Summary, metric: string): Latency | null {
  const values = metrics[metric]?.values
  if (!values?.count) return null
  return {
    mean: values.avg!,
    p50: values.med!,
    p90: values['p(90)']!,
    p95: values['p(95)']!,
    p99: values['p(99)']!,
    ...('p(99.9)' in values && { 'p99.9': values['p(99.9)']! }),
    max: values.max!,
  }
}
