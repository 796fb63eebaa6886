import type { Load } from '../profile/experiment.ts'
import { groupBy, max, mean, median, medianKnown, spread, upperMedian, variance } from './statistics.ts'
import { studentFor } from './student.ts'
import type { Accounting, Capacity, ReasonCode, Step } from './summary.ts'
import { tellOf } from './tries.ts'

/** What one repeat says, and the steps on which it stands. */
interface Knee {
  rate: number
  brokeAt: number | null
  steps: Step[]
  /** Between which rates it lies: one that surely held, and one that surely broke. */
  from: number
  to: number | null
}

export function capacityOf(shape: Load['shape'], steps: Step[]): Capacity | null {
  const measured = steps.filter((step) => step.purpose === 'measure' && isValid(step))
  if (shape !== 'search' && shape !== 'closed' && !measured.every((step) => step.holds)) return null
  const kneeOf = shape === 'search' ? searched : changing.has(shape) ? highest : answered
  const knees = [...groupBy(measured, (step) => step.repeat).values()].map(kneeOf)
  const rates = knees.map((knee) => knee.rate)
  // A repeat in which nothing held counts as 0: leaving it out would flatter the rest.
  if (rates.length === 0 || median(rates) === 0) return null
  const under = knees.flatMap((knee) => knee.steps)
  return {
    rate: median(rates),
    spread: spread(rates),
    interval: shape === 'constant' || shape === 'mixed' ? null : intervalOf(knees, shape === 'search'),
    repeats: rates,
    brokeAt: brokeAt(knees),
    p95: medianKnown(under.map((step) => step.load.latency?.p95)),
    accounting: total(under.map((step) => step.accounting)),
  }
}

/**
 * Sizing looks longer and longer at a cell: what the longest look saw stands, whatever the short ones before it did.
 */
export function longest(steps: Step[]): Step[] {
  const lasted = ({ load }: Step) => load.endedAt - load.startedAt
  const most = Math.max(0, ...steps.filter(({ purpose }) => purpose === 'measure').map(lasted))
  return steps.filter((step) => step.purpose === 'warm-up' || lasted(step) > 0.9 * most)
}

/** What spoils a step is not n8n's doing. */
const saysNothing = new Set<ReasonCode>(['generator-behind', 'too-short', 'too-few'])

/**
 * A step that only the generator spoiled, or that was too short for its executions, says nothing about n8n: neither
 * that it holds nor that it breaks.
 */
export function isValid(step: Step): boolean {
  return step.holds || step.reasons.length === 0 || step.reasons.some(({ code }) => !saysNothing.has(code))
}

/**
 * The highest rate of a search that held with no broken rate below it. A rate that was tried
 * several times is broken when it failed more often than it held: one hiccup at a low rate
 * does not hide the capacity, and one lucky step far above a broken rate does not make it.
 */
function searched(steps: Step[]): Knee {
  const byRate = [...groupBy(steps, (step) => step.load.rate ?? 0)]
    .sort(([a], [b]) => a - b)
    .map(([rate, tried]) => ({ rate, tried, ...tellOf(tried) }))
  const first = byRate.findIndex(({ holds }) => !holds)
  const held = first < 0 ? byRate : byRate.slice(0, first)
  // What a rate stands for is all that was seen of it, the try that failed too.
  const knee = held.at(-1)
  return {
    rate: knee?.rate ?? 0,
    brokeAt: byRate[first]?.rate ?? null,
    steps: knee?.tried ?? [],
    from: held.findLast(({ sure }) => sure)?.rate ?? 0,
    to: byRate.find(({ rate, holds, sure }) => rate > (knee?.rate ?? 0) && !holds && sure)?.rate ?? null,
  }
}

/** With the load given, what counts is the rate of successful answers. */
function answered(steps: Step[]): Knee {
  const rate = mean(steps.map((step) => step.load.throughput))
  return { rate, brokeAt: null, steps, from: rate, to: rate }
}

/** Rates that change: their mean is asked for at no moment. */
const changing = new Set<Load['shape']>(['ramp', 'spike', 'soak', 'herd'])

/** All that was asked for was carried, so the most of it was. */
function highest(steps: Step[]): Knee {
  const rate = max(steps.map(({ load }) => load.rate ?? load.throughput))
  return { rate, brokeAt: null, steps, from: rate, to: null }
}

/**
 * Where the capacity lies: of one repeat between the rates that surely held and surely broke, and nothing is known of
 * the next; of several, 19 times in 20, by how far they lie apart.
 */
function intervalOf(knees: Knee[], bracketed: boolean): Capacity['interval'] {
  if (knees.some(({ rate, from }) => rate === 0 || from === 0)) return null
  if (knees.length === 1) return bracketed ? { low: knees[0]!.from, high: knees[0]!.to } : null
  const logs = knees.map(({ rate }) => Math.log(rate))
  const off = studentFor(0.95, logs.length - 1) * Math.sqrt(variance(logs) / logs.length)
  const at = (rates: number[], more: number) => Math.exp(mean(rates.map(Math.log)) + more)
  const ends = knees.flatMap(({ to }) => to ?? [])
  return {
    low: at(
      knees.map(({ from }) => from),
      -off,
    ),
    high: ends.length < knees.length ? null : at(ends, off),
  }
}

/** Unknown as soon as half of the repeats found no end. The upper median is a measured rate, and above the capacity. */
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
  return {
    accepted: parts.reduce((before, { accepted }) => before + accepted, 0),
    finished: sum('finished'),
    failed: sum('failed'),
    waiting: sum('waiting'),
    lost: sum('lost'),
    lostExecutions: parts.flatMap(({ lostExecutions }) => lostExecutions),
    backlogGrowth: medianKnown(parts.map((part) => part.backlogGrowth)),
  }
}
