import jstat from 'jstat'
import type { Capacity } from '../model/result.ts'
import type { Step } from '../model/step.ts'
import { max, mean, studentFor, sum, variance } from './statistics.ts'

/**
 * Where a capacity lies 19 times in 20. Every step of a search says something about it: how many answers were late at
 * its rate, or that the step broke. The method is Bayes'. An n8n may come to its end suddenly or slowly, and its late
 * answers may come one by one or all at once. For each of these ways, and each capacity: how well does it explain all
 * steps together? The weights below were chosen so that the interval holds the capacity of made servers of many kinds,
 * under random arrivals (`make bench-search`).
 */

type Interval = NonNullable<Capacity['interval']>

/** What a weight says of an assumption before anything was measured. */
type Weighted = [value: number, weight: number][]

/**
 * By how many times the odds of a late answer grow where the rate grows by that many, for each request that comes
 * within the time that the objective allows. A queue has 1 or 2; less is an n8n that pauses whatever the rate is.
 */
const slopes: Weighted = [
  [0.05, 0.03],
  [0.15, 0.07],
  [0.4, 0.3],
  [1, 1],
  [2, 1],
  [4, 0.5],
]
/** How much late answers of one step resemble each other: 0 is not at all. A queue makes them late together. */
const alikes: Weighted = [
  [0.01, 1],
  [0.03, 1],
  [0.1, 1],
  [0.25, 1],
  [0.5, 1],
]
/** How far the capacities of two repeats lie apart, as a share: other programs use the machine too. */
const drifts: Weighted = [
  [0.01, 1],
  [0.03, 1],
  [0.08, 0.5],
  [0.15, 0.3],
]
/**
 * The share of late answers in a step is not that of hours: the first second does not count, and what comes every
 * twenty seconds may come once or twice. Where that share hardly grows with the rate, a little of it is much
 * capacity.
 */
const shareOff = 0.15
const farthest = 0.6
/** Something that no assumption has foreseen happens in one step of a hundred. */
const unforeseen = 0.01
const outside = 0.025

interface Seen {
  rate: number
  answers: number
  allowed: number
  /** Null where only whether it held counts. */
  late: number | null
  held: boolean
}

/** From the steps of one search or several; null where none held. `high` is null where none broke. */
export function searchedInterval(steps: Step[], objective = 500): Interval | null {
  if (!steps.some(({ holds }) => holds)) return null
  const searches = [...Map.groupBy(seenIn(steps), ({ repeat }) => repeat).values()].map((own) =>
    own.map(({ seen }) => seen),
  )
  const { low, high } = rangeOf(searches, objective / 1000)
  return { low, high: steps.every(({ holds }) => holds) ? null : high }
}

/** Where the load is given and the rate of answers counts: how far the repeats lie apart (Student's t). */
export function repeatedInterval(rates: number[]): Interval | null {
  if (rates.length < 2 || rates.includes(0)) return null
  const logs = rates.map(Math.log)
  const off = studentFor(0.95, logs.length - 1) * Math.sqrt(variance(logs) / logs.length)
  return { low: Math.exp(mean(logs) - off), high: Math.exp(mean(logs) + off) }
}

function seenIn(steps: Step[]): { repeat: number; seen: Seen }[] {
  const late = steps.some(({ reasons }) => reasons.some(({ code }) => code === 'latency'))
  const nearest = late ? nearestOf(steps) : null
  return steps.map(({ repeat, load, holds, lateness = [] }) => {
    const own = lateness.find((one) => nearest !== null && keyOf(one) === nearest) ?? lateness[0]
    return {
      repeat,
      seen: {
        rate: load.rate!,
        answers: Math.max(10, own?.of ?? load.requests),
        allowed: own?.allowed ?? 0.05,
        // A step that breaks ends early, so its count is not that of a whole step.
        late: holds && nearest !== null && own ? own.late : null,
        held: holds,
      },
    }
  })
}

type Lateness = NonNullable<Step['lateness']>[number]
const keyOf = ({ objective, workflow = '' }: Lateness) => `${objective} ${workflow}`

/** Of several objectives, the one that the answers came nearest to missing. */
function nearestOf(steps: Step[]): string | null {
  const groups = [
    ...Map.groupBy(
      steps.flatMap(({ lateness = [] }) => lateness),
      keyOf,
    ),
  ].map(([key, all]) => ({
    key,
    share: sum(all.map(({ late }) => late)) / Math.max(1, sum(all.map(({ of }) => of))) / all[0]!.allowed,
  }))
  return groups.toSorted((a, b) => b.share - a.share)[0]?.key ?? null
}

/** A run is summarised many times while it goes on, and most of its searches are the same as before. */
const ranges = new Map<string, { low: number; high: number }>()

function rangeOf(searches: Seen[][], patience: number): { low: number; high: number } {
  const key = JSON.stringify([searches, patience])
  const range = ranges.get(key) ?? reckon(searches, patience)
  if (ranges.size > 1000) ranges.clear()
  ranges.set(key, range)
  return range
}

function reckon(searches: Seen[][], patience: number): { low: number; high: number } {
  const rates = searches.flat().map(({ rate }) => Math.log(rate))
  const [from, to] = [Math.min(...rates) - 1, Math.max(...rates) + 1]
  const width = Math.max(0.01, (to - from) / 200)
  const capacities = Float64Array.from(
    { length: Math.ceil((to - from) / width) + 1 },
    (_, index) => from + index * width,
  )
  const typical = Math.max(1, Math.exp(mean(rates)) * patience)
  const explained = slopes.map(([slope, likely]) => {
    const cases = alikes.flatMap(([alike, known]) => {
      const each = searches.map((own) => explain(own, { capacities, slope, patience, alike }))
      return drifts.map(([drift, usual]) => {
        const fits = new Float64Array(capacities.length).fill(Math.log(known * usual * likely))
        for (const own of each) logBlurred(own, drift / width).forEach((fit, index) => (fits[index]! += fit))
        return fits
      })
    })
    return { cases, deviation: Math.min(farthest, shareOff / (slope * typical)) / width }
  })
  const best = max(explained.flatMap(({ cases }) => cases.map((fits) => max([...fits]))))
  const found = new Float64Array(capacities.length)
  for (const { cases, deviation } of explained) {
    const own = new Float64Array(capacities.length)
    for (const fits of cases) fits.forEach((fit, index) => (own[index]! += Math.exp(fit - best)))
    blurred(own, deviation).forEach((likely, index) => (found[index]! += likely))
  }
  const all = sum([...found])
  const quantile = (share: number) => {
    let passed = 0
    return Math.exp(capacities[found.findIndex((each) => (passed += each) >= share * all)] ?? to)
  }
  return { low: quantile(outside), high: quantile(1 - outside) }
}

interface Assumed {
  capacities: Float64Array
  slope: number
  patience: number
  alike: number
}

/** How well each capacity explains the steps of one search: logarithms of likelihoods. */
function explain(own: Seen[], { capacities, slope, patience, alike }: Assumed): Float64Array {
  const fits = new Float64Array(capacities.length)
  for (const seen of own) {
    const table = tableOf(seen, alike)
    const rate = Math.log(seen.rate)
    const steep = slope * Math.max(1, seen.rate * patience)
    for (let index = 0; index < fits.length; index++) fits[index]! += at(table, steep * (rate - capacities[index]!))
  }
  return fits
}

/** Logarithms of odds, relative to the odds that the objective allows. */
const odds = { from: -14, to: 14, width: 0.5 }

const tables = new Map<string, Float64Array>()

/** For each of these odds of a late answer: the logarithm of how likely the step's outcome is. */
function tableOf(seen: Seen, alike: number): Float64Array {
  const { late, held, allowed } = seen
  // How many answers there were matters little where only the outcome counts.
  const answers = late === null ? Number(seen.answers.toPrecision(1)) : seen.answers
  const key = [answers, late ?? held, allowed, alike].join(' ')
  const known = tables.get(key)
  if (known) return known
  const spread = 1 / (1 / answers + alike * (1 - 1 / answers)) - 1
  const base = Math.log(allowed / (1 - allowed))
  const table = new Float64Array((odds.to - odds.from) / odds.width + 1).map((_, index) => {
    const step = odds.from + index * odds.width
    const share = Math.min(1 - 1e-6, Math.max(1e-7, 1 / (1 + Math.exp(-base - step))))
    const below = (part: number) =>
      part <= 0 ? 0 : part >= 1 ? 1 : jstat.ibeta(part, share * spread, (1 - share) * spread)
    const within = late === null ? below(allowed) : below((late + 0.5) / answers) - below((late - 0.5) / answers)
    const likely = late === null && !held ? 1 - within : within
    return Math.log((1 - unforeseen) * Math.max(likely, 1e-9) + unforeseen * (late === null ? 0.5 : 0.02))
  })
  if (tables.size > 5000) tables.clear()
  tables.set(key, table)
  return table
}

function at(table: Float64Array, step: number): number {
  const place = Math.min(table.length - 1.001, Math.max(0, (step - odds.from) / odds.width))
  const below = Math.floor(place)
  return table[below]! + (place - below) * (table[below + 1]! - table[below]!)
}

function logBlurred(fits: Float64Array, deviation: number): Float64Array {
  const most = max([...fits])
  return blurred(
    fits.map((fit) => Math.exp(fit - most)),
    deviation,
  ).map((likely) => Math.log(likely + 1e-300) + most)
}

/** For a capacity that may lie some places further: a normal distribution around each. */
function blurred(values: Float64Array, deviation: number): Float64Array {
  const reach = Math.ceil(2.5 * deviation)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, index) =>
    Math.exp(-(((index - reach) / deviation) ** 2) / 2),
  )
  const all = sum(weights)
  return values.map((_, index) => {
    let total = 0
    const last = Math.min(2 * reach, values.length - 1 - index + reach)
    for (let place = Math.max(0, reach - index); place <= last; place++)
      total += values[index + place - reach]! * weights[place]!
    return total / all
  })
}
