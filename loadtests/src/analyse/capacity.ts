import type { Accounting, Capacity, Step } from './summary.ts'
import type { Load } from '../profile/experiment.ts'
import { groupBy, mean, median, medianKnown, spread, upperMedian } from './statistics.ts'

/** What one repeat says, and the steps on which it stands. */
interface Knee {
  rate: number
  brokeAt: number | null
  steps: Step[]
}

export function capacityOf(shape: Load['shape'], steps: Step[]): Capacity | null {
  const measured = steps.filter((step) => step.purpose === 'measure' && isValid(step))
  if (shape !== 'search' && shape !== 'closed' && !measured.every((step) => step.holds)) return null
  const kneeOf = shape === 'search' ? searched : answered
  const knees = [...groupBy(measured, (step) => step.repeat).values()].map(kneeOf)
  const rates = knees.map((knee) => knee.rate)
  // A repeat in which nothing held counts as 0: leaving it out would flatter the rest.
  if (rates.length === 0 || median(rates) === 0) return null
  const under = knees.flatMap((knee) => knee.steps)
  return {
    rate: median(rates),
    spread: spread(rates),
    repeats: rates,
    brokeAt: brokeAt(knees),
    p95: medianKnown(under.map((step) => step.load.latency?.p95)),
    accounting: total(under.map((step) => step.accounting)),
  }
}

/** Sizing looks longer and longer at a cell: what the longest look saw stands, whatever the short ones before it did. */
export function longest(steps: Step[]): Step[] {
  const lasted = ({ load }: Step) => load.endedAt - load.startedAt
  const most = Math.max(0, ...steps.filter(({ purpose }) => purpose === 'measure').map(lasted))
  return steps.filter((step) => step.purpose === 'warm-up' || lasted(step) > 0.9 * most)
}

/** A step that only the generator spoiled says nothing about n8n, neither that it holds nor that it breaks. */
export function isValid(step: Step): boolean {
  return step.holds || step.reasons.length === 0 || step.reasons.some((reason) => reason.code !== 'generator-behind')
}

/**
 * The highest rate of a search that held with no broken rate below it. A rate that was tried
 * several times is broken when it failed more often than it held: one hiccup at a low rate
 * does not hide the capacity, and one lucky step far above a broken rate does not make it.
 */
function searched(steps: Step[]): Knee {
  const knee: Knee = { rate: 0, brokeAt: null, steps: [] }
  const byRate = [...groupBy(steps, (step) => step.load.rate ?? 0)].sort(([a], [b]) => a - b)
  for (const [rate, tried] of byRate) {
    const held = tried.filter((step) => step.holds)
    if (tried.length - held.length > held.length) return { ...knee, brokeAt: rate }
    knee.rate = rate
    knee.steps = held
  }
  return knee
}

/** With the load given, what counts is the rate of successful answers. */
function answered(steps: Step[]): Knee {
  return { rate: mean(steps.map((step) => step.load.throughput)), brokeAt: null, steps }
}

/** Unknown as soon as half of the repeats found no end. The upper median is a measured rate, and above the capacity. */
function brokeAt(knees: Knee[]): number | null {
  const rate = upperMedian(knees.map((knee) => knee.brokeAt ?? Infinity))
  return Number.isFinite(rate) ? rate : null
}

function total(parts: Accounting[]): Accounting {
  // A sum with an unknown part is unknown.
  const sum = (key: 'finished' | 'failed' | 'waiting' | 'lost'): number | null =>
    parts.reduce<number | null>((before, { [key]: part }) => (before === null || part === null ? null : before + part), 0)
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
