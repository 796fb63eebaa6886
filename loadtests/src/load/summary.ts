import { peakOf } from './course.ts'
import { distributionOf } from './points.ts'
import type { Latency, LoadResult } from './result.ts'
import type { LoadStep } from './step.ts'

/** The part of k6's end-of-test summary that a step needs. */
export interface K6Summary {
  state: { testRunDurationMs: number }
  metrics: Record<string, { values: Record<string, number> } | undefined>
}

export function readSummary(
  summary: K6Summary,
  step: LoadStep,
  measured: { endedAt: number; generatorCpu: number | null },
): LoadResult {
  const count = (metric: string) => summary.metrics[metric]?.values.count ?? 0
  const elapsed = summary.state.testRunDurationMs
  const startedAt = measured.endedAt - elapsed
  const accepted = count('accepted')
  // The end of the schedule, unless the step ended early. Answers may come later.
  const endedAt = Math.min(startedAt + step.duration * 1000, measured.endedAt)
  const { shape } = step
  const distribution = distributionOf(summary.metrics.answer?.values ?? {})
  const scheduled = shape.kind !== 'closed'
  return {
    shape: shape.kind,
    rate: shape.kind === 'constant' ? shape.rate : shape.kind === 'course' ? peakOf(shape) : null,
    vus: shape.kind === 'closed' ? shape.vus : null,
    startedAt,
    endedAt,
    requests: count('http_reqs'),
    accepted,
    failures: failures(summary),
    dropped: count('dropped_iterations'),
    throughput: accepted / ((scheduled ? endedAt - startedAt : elapsed) / 1000),
    latency: latencyOf(summary, 'answer'),
    ...(distribution !== undefined && { distribution }),
    ...(step.mix && {
      parts: step.mix.map(({ workflow }, index) => ({
        workflow,
        accepted: count(`accepted_${index}`),
        failed: count(`failed_${index}`),
        latency: latencyOf(summary, `answer_${index}`),
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
