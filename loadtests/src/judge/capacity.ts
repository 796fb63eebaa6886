import {
  groupBy,
  max,
  mean,
  median,
  medianKnown,
  min,
  spread,
  studentFor,
  upperMedian,
  variance,
} from './statistics.ts'
import { estimateOf, isOpen, type Evidence } from './estimate/estimate.ts'
import { withRise } from './rise.ts'
import { tellOf } from './tries.ts'
import type { Load } from '../model/load.ts'
import { isValid } from './reasons.ts'
import type { Accounting, Step } from '../model/step.ts'
import type { Capacity } from '../model/result.ts'
import type { Estimate } from '../model/estimate.ts'

/** The result of one repeat, and the steps that it rests on. */
interface Knee {
  rate: number
  brokeAt: number | null
  steps: Step[]
}

/** What a cell sustains. `seen`: of a search, what else is known beside the steps. */
export function capacityOf(
  shape: Load['shape'],
  all: Step[],
  seen: Omit<Evidence, 'steps'> = { samples: [], slo: unasked },
): Capacity | null {
  const steps = withRise(shape, all)
  const measured = steps.filter((step) => step.purpose === 'measure' && isValid(step))
  if (shape !== 'search' && shape !== 'closed' && !measured.every((step) => step.holds)) return null
  const kneeOf = shape === 'search' ? searched : changing.has(shape) ? highest : answered
  const knees = [...groupBy(measured, (step) => step.repeat).values()].map(kneeOf)
  const whole = shape === 'search' && measured.length > 0 ? estimateOf({ ...seen, steps }) : null
  if (whole?.basis === 'model' && isNear(whole, measured)) return estimated(whole, { ...seen, steps })
  const estimate = whole?.basis === 'model' ? withoutModel(whole, { ...seen, steps }) : whole
  const rates = knees.map((knee) => knee.rate)
  // A repeat in which nothing held counts as 0. Without it the others would look better than they are.
  if (rates.length === 0 || median(rates) === 0) return null
  const under = knees.flatMap((knee) => knee.steps)
  const rate = median(rates)
  const broke = brokeAt(knees)
  return {
    rate,
    spread: spread(rates),
    interval: estimate
      ? intervalFrom(
          estimate,
          rate,
          measured.every(({ holds }) => holds),
        )
      : shape === 'closed'
        ? repeatedInterval(rates)
        : null,
    repeats: rates,
    brokeAt: broke,
    p95: medianKnown(under.map((step) => step.load.latency?.p95)),
    ...(shape === 'search' && { p95At: rate }),
    accounting: total(under.map((step) => step.accounting)),
    ...(estimate && { estimate: onSteps(estimate, rate) }),
  }
}

/** A capacity far above or below all that was tried is a guess. */
function isNear({ capacity: { rate } }: Estimate, measured: Step[]): boolean {
  const rates = measured.map(({ load }) => load.rate!)
  const above = measured.some(({ holds }) => !holds) || farthest.above * max(rates) >= rate
  return above && rate >= farthest.below * min(rates)
}
const farthest = { above: 1.4, below: 0.6 }

/** From the steps alone. What the model says is far above them all still says that the capacity is no lower. */
function withoutModel({ capacity, safe }: Estimate, evidence: Evidence): Estimate | null {
  const alone = estimateOf(evidence, 'steps')
  return (
    alone && {
      ...alone,
      capacity: { ...alone.capacity, low: Math.max(alone.capacity.low, capacity.low) },
      safe: { ...alone.safe, rate: Math.max(alone.safe.rate, safe.rate) },
    }
  )
}

function onSteps(estimate: Estimate, rate: number): Estimate {
  const { capacity, safe } = estimate
  return {
    ...estimate,
    capacity: { low: Math.min(capacity.low, rate), rate, high: Math.max(capacity.high, rate) },
    safe: { ...safe, rate: Math.min(safe.rate, rate) },
  }
}

/** Without an objective, only what breaks by itself counts. */
const unasked = { p95: Infinity, errors: 1, backlog: 1 }

/** From the steps alone: never further from the rate that held than it must be. */
const intervalFrom = ({ capacity }: Estimate, rate: number, allHeld: boolean): Capacity['interval'] => ({
  low: Math.min(capacity.low, rate),
  high: allHeld ? null : Math.max(capacity.high, rate),
})

/** From all steps together. Null where the objective cannot be met at any rate that was tried. */
function estimated(estimate: Estimate, evidence: Evidence): Capacity | null {
  const measured = evidence.steps.filter((step) => isOpen(step) && isValid(step))
  const { low, rate, high } = estimate.capacity
  if (!measured.some(({ holds }) => holds) && high < min(measured.map(({ load }) => load.rate!))) return null
  const byRepeat = [...groupBy(evidence.steps, (step) => step.repeat).values()]
  const repeats =
    byRepeat.length > 1 ? byRepeat.flatMap((steps) => estimateOf({ ...evidence, steps })?.capacity.rate ?? []) : [rate]
  const off = ({ load }: Step) => Math.abs(Math.log(load.rate! / rate))
  const nearest = min(measured.map(off))
  const under = measured.filter((step) => off(step) <= nearest + near)
  const broken = measured.filter(({ holds }) => !holds).map(({ load }) => load.rate!)
  const above = broken.filter((one) => one >= rate)
  return {
    rate,
    spread: spread(repeats),
    interval: { low, high },
    repeats,
    brokeAt: above.length ? min(above) : broken.length ? max(broken) : null,
    p95: medianKnown(under.map(({ load }) => load.latency?.p95)),
    p95At: median(under.map(({ load }) => load.rate!)),
    accounting: total(under.map(({ accounting }) => accounting)),
    estimate,
  }
}

/** Rates this near to each other, in logarithms, are one. */
const near = 0.05

/** Where the load is given and the rate of answers counts: how far the repeats lie apart (Student's t). */
function repeatedInterval(rates: number[]): Capacity['interval'] {
  if (rates.length < 2 || rates.includes(0)) return null
  const logs = rates.map(Math.log)
  const off = studentFor(0.95, logs.length - 1) * Math.sqrt(variance(logs) / logs.length)
  return { low: Math.exp(mean(logs) - off), high: Math.exp(mean(logs) + off) }
}

/** Sizing looks longer and longer at a cell. The result of the longest look counts, whatever the shorter ones found. */
export function longest(steps: Step[]): Step[] {
  const lasted = ({ load }: Step) => load.endedAt - load.startedAt
  const most = Math.max(0, ...steps.filter(({ purpose }) => purpose === 'measure').map(lasted))
  return steps.filter((step) => step.purpose !== 'measure' || lasted(step) > 0.9 * most)
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

/** n8n sustained everything that the load asked for, so it sustained the highest rate of it. */
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
