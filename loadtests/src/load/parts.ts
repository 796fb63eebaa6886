import type { Generated, Generator, GeneratorOrder } from './generator.ts'
import { points, statOf } from './points.ts'
import type { K6Summary } from './summary.ts'

/**
 * One load, divided among several generators. Percentiles of parts cannot be averaged, so they come from the
 * distributions of all parts together.
 */

/** Runs the load as one, or in as many parts as the generator has. */
export async function runOn(generator: Generator, order: GeneratorOrder): Promise<Generated> {
  const { together } = generator
  if (!together) return generator.run(order)
  // One part does not know how many answers were late in the others, so no part ends the step early.
  const { LATE_MOST: _, ...env } = order.env
  return join(
    await together.run(
      Array.from({ length: together.parts }, (_, index) => ({ ...order, env, args: partArgs(index, together.parts) })),
    ),
  )
}

/** The busiest part counts for the generator's CPU, and if one part fails, all have failed. */
function join(parts: Generated[]): Generated {
  const telling =
    parts.find(({ killed }) => killed)
    ?? parts.find(({ failed, summary }) => failed || summary === null)
    ?? parts.reduce((a, b) => ((b.cpuSeconds ?? 0) > (a.cpuSeconds ?? 0) ? b : a))
  const summaries = parts.map(({ summary }) => summary)
  return {
    ...telling,
    summary: summaries.includes(null)
      ? null
      : JSON.stringify(mergeParts(summaries.map((summary) => JSON.parse(summary!)))),
    endedAt: Math.max(...parts.map(({ endedAt }) => endedAt)),
    elapsed: Math.max(...parts.map(({ elapsed }) => elapsed)),
  }
}

/** k6's arguments for one of several parts: together the parts send exactly what one generator would. */
export function partArgs(index: number, count: number): string[] {
  const cuts = Array.from({ length: count + 1 }, (_, cut) =>
    cut === 0 ? '0' : cut === count ? '1' : `${cut}/${count}`,
  )
  return [`--execution-segment=${cuts[index]}:${cuts[index + 1]}`, `--execution-segment-sequence=${cuts.join(',')}`]
}

/** The summary of the whole load, from those of its parts. */
export function mergeParts(parts: K6Summary[]): K6Summary {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))]
  const counters = names.filter((name) => parts.some(({ metrics }) => isCounter(metrics[name]?.values ?? {})))
  // With mixed traffic, each workflow has its own answers.
  const trends = names.filter((name) => name.startsWith('answer'))
  const sum = (name: string) => parts.reduce((all, { metrics }) => all + (metrics[name]?.values.count ?? 0), 0)
  return {
    state: { testRunDurationMs: Math.max(...parts.map(({ state }) => state.testRunDurationMs)) },
    metrics: {
      ...Object.fromEntries(counters.map((name) => [name, { values: { count: sum(name) } }])),
      ...Object.fromEntries(
        trends.map((name) => [
          name,
          {
            values: mergeTrends(
              parts.flatMap(({ metrics }) => (metrics[name]?.values.count ? [metrics[name].values] : [])),
            ),
          },
        ]),
      ),
    },
  }
}

const isCounter = ({ count, rate }: Record<string, number>) => count !== undefined && rate !== undefined

type Trend = Record<string, number>

function mergeTrends(trends: Trend[]): Trend {
  const count = trends.reduce((all, trend) => all + trend.count!, 0)
  if (count === 0) return { count }
  const weighted = trends
    .flatMap((trend) => points.map((point) => ({ value: trend[statOf(point)]!, weight: trend.count! / points.length })))
    .sort((a, b) => a.value - b.value)
  return {
    count,
    avg: trends.reduce((all, trend) => all + trend.avg! * trend.count!, 0) / count,
    max: Math.max(...trends.map(({ max }) => max!)),
    med: valueAt(weighted, count * 0.5),
    ...Object.fromEntries(
      [90, 95, 99, 99.9, ...points].map((percentile) => [
        statOf(percentile),
        valueAt(weighted, (count * percentile) / 100),
      ]),
    ),
  }
}

/** The value of the n-th answer. */
function valueAt(weighted: { value: number; weight: number }[], rank: number): number {
  let before = 0
  for (const { value, weight } of weighted) {
    before += weight
    if (before >= rank) return value
  }
  return weighted.at(-1)!.value
}
