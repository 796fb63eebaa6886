import { groupBy, max, mean, median, medianKnown, spread, upperMedian } from './statistics.ts'
import { repeatedInterval, searchedInterval } from './interval.ts'
import { tellOf } from './tries.ts'
import type { Load } from '../model/load.ts'
import { spoils, type Accounting, type Step } from '../model/step.ts'
import type { Capacity } from '../model/result.ts'

/** The result of one repeat, and the steps that it rests on. */
interface Knee {
  rate: number
  brokeAt: number | null
  steps: Step[]
}

/** `objective`: milliseconds that most answers may take. */
export function capacityOf(shape: Load['shape'], steps: Step[], objective?: number): Capacity | null {
  const measured = steps.filter((step) => step.purpose === 'measure' && isValid(step))
  if (shape !== 'search' && shape !== 'closed' && !measured.every((step) => step.holds)) return null
  const kneeOf = shape === 'search' ? searched : changing.has(shape) ? highest : answered
  const knees = [...groupBy(measured, (step) => step.repeat).values()].map(kneeOf)
  const rates = knees.map((knee) => knee.rate)
  // A repeat in which nothing held counts as 0. Without it the others would look better than they are.
  if (rates.length === 0 || median(rates) === 0) return null
  const under = knees.flatMap((knee) => knee.steps)
  return {
    rate: median(rates),
    spread: spread(rates),
    interval:
      shape === 'search' ? searchedInterval(measured, objective) : shape === 'closed' ? repeatedInterval(rates) : null,
    repeats: rates,
    brokeAt: brokeAt(knees),
    p95: medianKnown(under.map((step) => step.load.latency?.p95)),
    accounting: total(under.map((step) => step.accounting)),
  }
}

/** Sizing looks longer and longer at a cell. The result of the longest look counts, whatever the shorter ones found. */
export function longest(steps: Step[]): Step[] {
  const lasted = ({ load }: Step) => load.endedAt - load.startedAt
  const most = Math.max(0, ...steps.filter(({ purpose }) => purpose === 'measure').map(lasted))
  return steps.filter((step) => step.purpose !== 'measure' || lasted(step) > 0.9 * most)
}

/** A step says nothing about n8n if it has only reasons that spoil it, or if others had the machine. */
export function isValid(step: Pick<Step, 'holds' | 'reasons'>): boolean {
  const { holds, reasons } = step
  return holds || reasons.length === 0 || !(reasons.every(spoils) || reasons[0]!.code === 'machine-busy')
}

/**
 * The rate that was confirmed. Of runs of earlier versions, which confirmed none: the highest rate that held, with no
 * broken rate below it. A rate with several tries is broken if it failed more often than it held. So one hiccup at a
 * low rate does not hide the capacity, and one lucky step far above a broken rate does not make it.
 */
function searched(steps: Step[]): Knee {
  const confirmed = steps.findLast(({ confirms }) => confirms)
  const lowest = confirmed && !confirmed.holds ? confirmed.load.rate! : Infinity
  const byRate = [...groupBy(steps, (step) => step.load.rate ?? 0)]
    .sort(([a], [b]) => a - b)
    .map(([rate, tried]) => ({ rate, tried, holds: rate < lowest && tellOf(tried).holds }))
  const first = byRate.findIndex(({ holds }) => !holds)
  const held = first < 0 ? byRate : byRate.slice(0, first)
  const knee = confirmed?.holds ? byRate.find(({ rate }) => rate === confirmed.load.rate)! : held.at(-1)
  const broke = byRate.filter(({ rate, tried }) => rate > (knee?.rate ?? 0) && tried.some((one) => !one.holds))
  // All tries at a rate count, failed ones too.
  return {
    rate: knee?.rate ?? 0,
    brokeAt:
      broke.find(({ tried }) => tried.some(({ confirms, holds }) => confirms && !holds) || !tellOf(tried).holds)?.rate
      ?? null,
    steps: knee?.tried ?? [],
  }
}

/** When the load is given, the rate of successful answers counts. */
function answered(steps: Step[]): Knee {
  const rate = mean(steps.map((step) => step.load.throughput))
  return { rate, brokeAt: null, steps }
}

/** For shapes whose rate changes: no moment of the load has their mean rate. */
const changing = new Set<Load['shape']>(['ramp', 'spike', 'soak', 'herd'])

/** n8n carried everything that the load asked for, so it carried the highest rate of it. */
function highest(steps: Step[]): Knee {
  const rate = max(steps.map(({ load }) => load.rate ?? load.throughput))
  return { rate, brokeAt: null, steps }
}

/**
 * Unknown as soon as half of the repeats found no upper end. The upper median is a rate that was measured, and it lies
 * above the capacity.
 */
function brokeAt(knees: Knee[]): number | null {
  const rate = upperMedian(knees.map((knee) => knee.brokeAt ?? Infinity))
  return Number.isFinite(rate) ? rate : null
}

function total(parts: Accounting[]): Accounting {
  // A sum with an unknown part is unknown.
  const sum = (key: 'finished' | 'failed' | 'waiting' | 'lost'): number | null =>
    parts.reduce<number | null>(
      (before, { [key]: part }) => (before === null || part === null ? null : before + part),
      0,
    )
  const unknown = parts.reduce((before, part) => before + (part.unknown ?? 0), 0)
  return {
    accepted: parts.reduce((before, { accepted }) => before + accepted, 0),
    finished: sum('finished'),
    failed: sum('failed'),
    waiting: sum('waiting'),
    lost: sum('lost'),
    lostExecutions: parts.flatMap(({ lostExecutions }) => lostExecutions),
    backlogGrowth: medianKnown(parts.map((part) => part.backlogGrowth)),
    ...(unknown > 0 && { unknown }),
  }
}
