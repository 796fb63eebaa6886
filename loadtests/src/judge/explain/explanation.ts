import { figure, percent, rate as perSecond } from '../../lib/figures.ts'
import { areas, type Area } from './areas.ts'
import { add, type Amounts } from './by-area.ts'
import type { ExplainedProcess, Explanation } from '../../model/explanation.ts'
import type { TierInForce } from '../../model/tier.ts'

/** What took most of the CPU time of all processes of a result, and how to reduce it. */
export function explanationOf(
  rate: number | null,
  processes: ExplainedProcess[],
  tier: TierInForce | null,
): Explanation {
  const seconds: Amounts = {}
  for (const { area, amount } of processes.flatMap(({ shares }) => shares)) add(seconds, area as Area, amount)
  const cpu = processes.reduce((sum, process) => sum + process.cpu, 0)
  const [largest] = (Object.entries(seconds) as [Area, number][])
    .filter(([area]) => area !== 'profiling')
    .toSorted(([, a], [, b]) => b - a)
  if (!largest || cpu === 0)
    return { rate, processes, largest: null, text: 'n8n used no CPU time that could be explained.', advice: '' }
  const [area, taken] = largest
  const cores = cpu / Math.max(...processes.map(({ elapsed }) => elapsed))
  const load = rate === null ? '' : ` at ${perSecond(rate)}`
  return {
    rate,
    processes,
    largest: area,
    text:
      `The largest share of n8n’s CPU time${load} went into ${areas[area].label}: `
      + `${percent(round(taken / cpu))} of ${figure(cores)} cores.`,
    advice: areas[area].advice(tier),
  }
}

/** A sampled share is no more precise than a percent. */
const round = (share: number) => Math.round(share * 100) / 100
