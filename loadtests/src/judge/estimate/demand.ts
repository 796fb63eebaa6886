import type { Sample } from '../../model/sample.ts'
import type { Step } from '../../model/step.ts'
import { median, sum } from '../statistics.ts'

/** What executions took of the CPU, and how much of it n8n uses when it is full. From the looks at its processes. */

/** The looks at each process, in order. */
export type Looks = Sample[][]

export const looksOf = (samples: Iterable<Sample>): Looks =>
  [...Map.groupBy(samples, ({ process }) => process).values()].map((own) => own.toSorted((a, b) => a.at - b.at))

/** CPU seconds of an execution, and of the whole step. */
export interface StepDemand {
  each: number
  cpu: number
}

/** Until the first look at which its work was done; null where the looks do not cover it. */
export function demandOfStep({ load }: Step, looks: Looks, until = Infinity): StepDemand | null {
  const parts = looks.flatMap((own) => {
    const from = own.findLastIndex(({ at }) => at <= load.startedAt)
    if (from < 0) return []
    const before = underWay(own[from]!)
    const done = own.findIndex(
      (look, nth) =>
        nth > from && look.at >= load.endedAt && (look.executions === null || underWay(look) <= Math.max(0, before)),
    )
    const last = own.findLastIndex(({ at }) => at <= until)
    return [{ own, from, to: done < 0 ? last : Math.min(done, last), idle: idleOf(own, load.startedAt) }]
  })
  const cpu = sum([
    0,
    ...parts.map(({ own, from, to, idle }) => cpuIn(own, from, to) - idle * secondsIn(own, from, to)),
  ])
  // Requests that still run at the last look are half done.
  const begun = sum([0, ...parts.map(({ own, from, to }) => rise(own, from, to, started))])
  const left = sum([0, ...parts.map(({ own, from, to }) => rise(own, from, to, underWay))])
  const requests = load.requests - load.dropped
  const each = begun > 0 ? begun / requests : 1
  const executed = requests - Math.max(0, left) / 2 / each
  return cpu > 0 && executed > 0 ? { each: cpu / executed, cpu } : null
}

const started = ({ executions }: Sample) => executions?.started ?? 0
const underWay = ({ executions }: Sample) =>
  executions ? executions.started - executions.succeeded - executions.failed : 0

/** Of few executions one step says little, so the other steps have a say as if they were this many. */
const others = 50

/** CPU seconds of an execution in all of them together. */
export const eachIn = (demands: StepDemand[]): number =>
  sum(demands.map(({ cpu }) => cpu)) / sum(demands.map(({ cpu, each }) => cpu / each))

/** The demand of each step, nearer to that of all the fewer executions it had. */
export function steadied<One extends StepDemand | null>(demands: One[], all: StepDemand[]): One[] {
  const usual = eachIn(all)
  return demands.map((one) => one && { ...one, each: (one.cpu + others * usual) / (one.cpu / one.each + others) })
}

/** A look without the figure says nothing: the nearest ones that have it count. */
function rise(own: Sample[], from: number, to: number, of: (look: Sample) => number): number {
  const told = own.slice(from, to + 1).filter(({ executions }) => executions !== null)
  return told.length > 1 ? of(told.at(-1)!) - of(told[0]!) : 0
}

/** A look tells the cores in use since the one before. */
const cpuIn = (own: Sample[], from: number, to: number) =>
  sum([0, ...own.slice(from + 1, to + 1).map(({ cpu, at }, nth) => ((cpu ?? 0) * (at - own[from + nth]!.at)) / 1000)])

const secondsIn = (own: Sample[], from: number, to: number) => Math.max(0, (own[to]!.at - own[from]!.at) / 1000)

/** An n8n that is full tells its counts late and seems calm now and then; one that executes nothing uses no more. */
const mostIdle = 0.2

/** Cores that a process uses while it executes nothing: between loads, and within them where it counts executions. */
function idleOf(own: Sample[], before: number): number {
  const counts = new Set(own.flatMap((look) => (look.executions ? [started(look)] : []))).size > 1
  const never = neverEnding(own)
  const runs = running(own)
  const atRest = (nth: number) => own[nth]!.executions !== null && underWay(own[nth]!) <= never[nth]!
  const calm = own.flatMap((look, nth) => {
    const last = own[nth - 1]
    const still = last && (counts || look.at < before) && runs[nth - 1] && started(look) === started(last)
    const isCalm = still && atRest(nth - 1) && atRest(nth) && look.cpu !== null && look.cpu <= mostIdle
    return isCalm ? [look.cpu!] : []
  })
  return calm.length >= 2 ? median(calm) : 0
}

/** By look, whether it has executed since it began to answer: until then it starts, at the cost of a core. */
function running(own: Sample[]): boolean[] {
  let [since, runs]: [number | null, boolean] = [0, false]
  return own.map((look) => {
    if (look.executions === null) {
      since = null
      runs = false
    } else if (since === null) since = started(look)
    else runs ||= started(look) > since
    return runs
  })
}

/** By look, the executions that stay under way in all later ones: a death loses them, and n8n counts no end of them. */
function neverEnding(own: Sample[]): number[] {
  const least: number[] = []
  own.toReversed().forEach((look, nth) => {
    const later = least[nth - 1] ?? Infinity
    least.push(look.executions === null ? later : Math.min(later, Math.max(0, underWay(look))))
  })
  return least.reverse()
}

/** Cores in use, beside what is used between loads, and executions a second, in loads whose clients wait. */
export interface Full {
  cores: number | null
  throughput: number
}

/** The last loads count: before them n8n was still warming up. */
const mostFull = 8
/** Milliseconds until a load whose clients wait is at its height. */
const rising = 900

export function fullOf(closed: Step[], looks: Looks): Full | null {
  const rates = closed.map((step) => finishedIn(step, looks))
  const best = Math.max(0, ...rates)
  const full = closed.filter((_, nth) => rates[nth]! > 0.8 * best).slice(-mostFull)
  if (full.length === 0 || best === 0) return null
  // Unknown where no look told it.
  const cores = sum([0, ...looks.map((own) => coresOf(own, full))]) || null
  return { cores, throughput: sum(full.map((step) => finishedIn(step, looks))) / full.length }
}

function coresOf(own: Sample[], full: Step[]): number {
  const within = own.filter(({ at, cpu }, nth) =>
    cpu === null || nth === 0
      ? false
      : full.some(
          ({ load }) =>
            own[nth - 1]!.at >= load.startedAt + rising - 1000 && at <= load.endedAt && at >= load.startedAt + rising,
        ),
  )
  if (within.length === 0) return 0
  const used = sum(within.map(({ cpu }) => cpu!)) / within.length
  return Math.max(0, used - idleOf(own, full[0]!.load.startedAt))
}

/**
 * Requests a second that it finished. Accepted is not finished: an n8n that answers at once and works later would
 * seem to sustain any rate. Its own counts say it best, since they also know what earlier loads have left.
 */
export function finishedIn({ load, accounting }: Step, looks: Looks): number {
  const counts = looks.flatMap((own) => {
    const told = own.filter(({ at, executions }) => executions && at >= load.startedAt && at <= load.endedAt)
    const seconds = told.length > 1 ? (told.at(-1)!.at - told[0]!.at) / 1000 : 0
    return seconds > 1
      ? [{ begun: rise(told, 0, told.length, started) / seconds, left: rise(told, 0, told.length, underWay) / seconds }]
      : []
  })
  const begun = sum([0, ...counts.map((one) => one.begun)])
  const left = sum([0, ...counts.map((one) => one.left)])
  const seconds = (load.endedAt - load.startedAt) / 1000
  const counted = (accounting.finished ?? Infinity) + (accounting.unknown ?? 0)
  const finished = begun > 0 ? load.throughput * (1 - Math.max(0, left) / begun) : counted / seconds
  return Math.min(load.throughput, finished)
}

/**
 * Requests a second, with the time in which it worked off what was left of them; 0 where the looks do not see its end.
 */
export function workedOffIn({ load }: Step, looks: Looks): number {
  const ends = looks.flatMap((own) => {
    const told = own.filter(({ executions }) => executions !== null)
    const done = told.find((look) => look.at >= load.endedAt && underWay(look) <= 0)
    return told.length > 0 ? [done?.at ?? Infinity] : []
  })
  return ends.length > 0 ? (1000 * load.accepted) / (Math.max(...ends) - load.startedAt) : 0
}

/** Executions under way on average; null where they are not counted. */
export function underWayIn({ load }: Step, looks: Looks): number | null {
  const means = looks.flatMap((own) => {
    const within = own.filter(({ at, executions }) => executions && at > load.startedAt && at <= load.endedAt)
    return within.length ? [sum(within.map(underWay)) / within.length] : []
  })
  return means.length ? sum(means) : null
}
