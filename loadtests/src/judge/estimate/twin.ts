import { fillWithWork, random } from './random.ts'
import { serve, type TwinQueue } from './queue.ts'
import { disciplines, logCapacity, pauses, serverCounts, unevens, type QueueKind } from './table.ts'

/**
 * n8n's twin on a computer: a queue that gets the very requests that were sent. Many such queues are tried against all
 * steps of a search, and how likely each one is afterwards says how likely each capacity is. What chance did to the
 * arrivals is in both, so it does not blur the answer.
 */

/** What was seen of one step of load. Seconds. */
export interface SeenAnswers {
  /** The moments of its requests; where they are not known, others for each try. */
  arrivals: (nth: number) => Float64Array
  /** Requests from then on count. */
  settling: number
  /** Of all requests, those whose answers were compared: of a mix, one workflow's. */
  share: number
  mean: number
  /** The share of the answers that took longer than each of the marks below. */
  above: number[]
  /** What one answer in twenty was faster than. */
  fastest: number
  /** CPU seconds of an execution, and of the whole step. */
  demand: number
  cpu: number
}

/** Where the latencies are compared, as shares of the objective. */
export const marks = [0.4, 0.7, 1, 1.6]
const figures = 1 + marks.length

export interface Assumed {
  /** Seconds. */
  objective: number
  /** The time of what is full first that one CPU second of an execution takes: 1 with one core. */
  perCpu: number
}

/** The demand that counts may differ from the measured one: other work in the same process, caches, … */
const factors = Array.from({ length: 7 }, (_, nth) => Math.exp(0.04 * (nth - 3)))
/** Its standard deviation in logarithms, and where what is full first is no whole number of cores. */
const offUsually = 0.04
const offBeside = 0.08
/** How likely pauses are, in the order of the table. */
const pausesBefore = [0.5, 0.2, 0.15, 0.075, 0.075]
/** How many delays outside of the queue are tried, and between which: the fastest answers minus such services. */
const delays = { count: 6, from: 1.2, to: -0.15 }
/** Student's t with these degrees of freedom, so that one odd step does not decide. */
const freedom = 6
/** The twin is not n8n: a standard deviation of each figure beside chance. */
const nugget = 0.03
/** Nodes this much less likely than the best do not come back. */
const hopeless = 12

/** One kind of queue, with all factors and delays. */
interface Group extends QueueKind {
  /** Seconds outside of the queue. */
  delays: Float64Array
  /** By factor and delay. */
  logLikely: Float64Array
  misfit: Float64Array
}

export interface Posterior {
  assumed: Assumed
  groups: Group[]
  seen: SeenAnswers[]
}

/** Everything that was assumed before the first step; delays follow from its fastest answers. */
function before(assumed: Assumed, first: SeenAnswers): Posterior {
  const cores = 1 / assumed.perCpu
  const off = Math.abs(cores - Math.max(1, Math.round(cores))) < 0.07 * cores ? offUsually : offBeside
  const several = cores >= 1.5 ? nearest(serverCounts, Math.round(cores)) : null
  const groups: Group[] = []
  for (const servers of several === null ? [0] : [0, several]) {
    const alone = serviceIn({ servers }, assumed.perCpu * first.demand)
    const step = (alone * (delays.from - delays.to)) / (delays.count - 1)
    const outside = Array.from({ length: delays.count }, (_, nth) =>
      Math.max(0, first.fastest - alone * delays.from + nth * step),
    )
    const own = Float64Array.from(new Set(outside))
    for (let discipline = 0; discipline < disciplines.length; discipline++)
      for (let pause = 0; pause < (servers === 0 ? pauses.length : 1); pause++)
        for (let uneven = 0; uneven < unevens.length; uneven++) {
          const prior = Math.log(pausesBefore[pause]!) - (Math.log((1 + unevens[uneven]! ** 2) / 1.5) / 0.6) ** 2 / 2
          const logLikely = new Float64Array(factors.length * own.length)
          for (let factor = 0; factor < factors.length; factor++)
            logLikely.fill(
              prior - (Math.log(factors[factor]!) / off) ** 2 / 2,
              factor * own.length,
              (factor + 1) * own.length,
            )
          const misfit = new Float64Array(logLikely.length)
          groups.push({ discipline, servers, pauses: pause, uneven, delays: own, logLikely, misfit })
        }
  }
  return { assumed, groups, seen: [] }
}

const nearest = (list: number[], value: number) =>
  list.reduce(
    (best, one, at) => (Math.abs(Math.log(one / value)) < Math.abs(Math.log(list[best]! / value)) ? at : best),
    0,
  )

/** What one request takes by itself. */
const serviceIn = ({ servers }: Pick<QueueKind, 'servers'>, each: number) => each * serverCounts[servers]!

/** The posterior after one more step. */
export function learn(known: Posterior | null, assumed: Assumed, seen: SeenAnswers): Posterior {
  const prior = known ?? before(assumed, seen)
  const best = mostLikely(prior.groups)
  const nth = prior.seen.length
  const tries = triesFor(seen.arrivals(0).length)
  const works = worksOf(seen, tries, nth)
  const groups = prior.groups.flatMap((group) => {
    const isAlive = Array.from(factors, (_, factor) =>
      group.logLikely
        .subarray(factor * group.delays.length, (factor + 1) * group.delays.length)
        .some((likely) => likely > best - hopeless),
    )
    return isAlive.includes(true) ? [compare(group, isAlive, assumed, { seen, nth, tries, works })] : []
  })
  return { assumed, groups, seen: [...prior.seen, seen] }
}

const mostLikely = (groups: Group[]) =>
  groups.reduce((best, { logLikely }) => logLikely.reduce((most, one) => (one > most ? one : most), best), -Infinity)

/** More requests need fewer tries: their own noise is smaller, and the machine's time is not for nothing. */
const triesFor = (requests: number) => (requests < 400 ? 32 : requests < 1200 ? 20 : 12)

/** The work of the requests in each try, by unevenness: all queues get the same. */
function worksOf(seen: SeenAnswers, tries: number, nth: number): (uneven: number) => Float64Array[] {
  const known: Float64Array[][] = []
  return (uneven) => {
    const next = random(7919 * nth + 104729 * uneven + 1)
    return (known[uneven] ??= Array.from({ length: tries }, (_, attempt) => {
      const work = new Float64Array(seen.arrivals(attempt).length)
      fillWithWork(work, unevens[uneven]!, next)
      return work
    }))
  }
}

interface Trying {
  seen: SeenAnswers
  /** The number of the step. */
  nth: number
  tries: number
  works: (uneven: number) => Float64Array[]
}

function compare(group: Group, isAlive: boolean[], assumed: Assumed, { seen, nth, tries, works }: Trying): Group {
  const { delays: outside, uneven } = group
  const observed = [Math.log(seen.mean), ...seen.above.map(turned)]
  const own = works(uneven)
  const took = new Float64Array(seen.arrivals(0).length)
  const service = serviceIn(group, assumed.perCpu * seen.demand)
  const limits = marks.map((mark) => mark * assumed.objective)
  const sums = Array.from(factors, () => Array.from(outside, () => new Float64Array(figures + figures ** 2)))
  const counting = countingAbove(outside, limits)
  const figure = new Float64Array(figures)
  for (let attempt = 0; attempt < tries; attempt++) {
    const arrivals = seen.arrivals(attempt)
    const work = own[attempt]!
    const queue: TwinQueue = {
      discipline: disciplines[group.discipline]!,
      servers: serverCounts[group.servers]!,
      pauses: pauses[group.pauses]!,
      phase: ((attempt + 0.5) / tries + 0.618 * nth) % 1,
    }
    const counted = Math.max(
      0,
      arrivals.findIndex((at) => at >= seen.settling),
    )
    for (let factor = 0; factor < factors.length; factor++) {
      if (!isAlive[factor]) continue
      serve(queue, arrivals, work, service * factors[factor]!, took)
      const of = Math.max(1, took.length - counted)
      const total = counting.count(took, counted)
      for (let delay = 0; delay < outside.length; delay++) {
        figure[0] = Math.log(total / of + outside[delay]! + 1e-9) - observed[0]!
        for (let mark = 0; mark < marks.length; mark++)
          figure[1 + mark] = turned(counting.above(delay, mark) / of) - observed[1 + mark]!
        const sum = sums[factor]![delay]!
        for (let one = 0; one < figures; one++) {
          sum[one]! += figure[one]!
          for (let other = 0; other <= one; other++) sum[figures * (1 + one) + other]! += figure[one]! * figure[other]!
        }
      }
    }
  }
  const logLikely = new Float64Array(group.logLikely.length).fill(-Infinity)
  const misfit = group.misfit.slice()
  for (let factor = 0; factor < factors.length; factor++) {
    if (!isAlive[factor]) continue
    for (let delay = 0; delay < outside.length; delay++) {
      const at = factor * outside.length + delay
      const { distance, logVolume } = distanceOf(sums[factor]![delay]!, tries, seen.share)
      logLikely[at] =
        group.logLikely[at]! - logVolume / 2 - ((freedom + figures) / 2) * Math.log(1 + distance / freedom)
      misfit[at]! += distance
    }
  }
  return { ...group, logLikely, misfit }
}

/** A share so that chance moves it equally far everywhere. */
const turned = (share: number) => Math.asin(Math.sqrt(share))

/** Counts times above all limits less the delays in one pass. */
function countingAbove(outside: Float64Array, limits: number[]) {
  const all = Array.from(outside, (delay) => limits.map((limit) => limit - delay)).flat()
  const sorted = Float64Array.from(new Set(all)).sort()
  const place = all.map((one) => sorted.indexOf(one))
  const above = new Float64Array(sorted.length)
  return {
    /** Returns the sum of the times. */
    count(took: Float64Array, from: number): number {
      above.fill(0)
      let total = 0
      for (let nth = from; nth < took.length; nth++) {
        const time = took[nth]!
        total += time
        for (let limit = 0; limit < sorted.length && time > sorted[limit]!; limit++) above[limit]!++
      }
      return total
    },
    above: (delay: number, mark: number) => above[place[delay * limits.length + mark]!]!,
  }
}

const root = new Float64Array(figures * figures)
const solved = new Float64Array(figures)

/** How far the tries lie from what was seen, in their own spread (Mahalanobis), by Cholesky's decomposition. */
function distanceOf(sum: Float64Array, tries: number, share: number): { distance: number; logVolume: number } {
  let logVolume = 0
  let distance = 0
  for (let one = 0; one < figures; one++) {
    for (let other = 0; other <= one; other++) {
      const together = sum[figures * (1 + one) + other]! - (sum[one]! * sum[other]!) / tries
      let left = (together / (tries - 1)) * (1 / share + 1 / tries) + (one === other ? nugget ** 2 : 0)
      for (let before = 0; before < other; before++)
        left -= root[one * figures + before]! * root[other * figures + before]!
      root[one * figures + other] =
        one === other ? Math.sqrt(Math.max(left, 1e-12)) : left / root[other * figures + other]!
    }
    let off = sum[one]! / tries
    for (let before = 0; before < one; before++) off -= root[one * figures + before]! * solved[before]!
    solved[one] = off / root[one * figures + one]!
    distance += solved[one]! ** 2
    logVolume += 2 * Math.log(root[one * figures + one]!)
  }
  return { distance, logVolume }
}

/** A queue that explains what was seen. */
export interface Node extends QueueKind {
  chance: number
  /** Of the demand. */
  factor: number
  /** Seconds outside of the queue. */
  delay: number
  logCapacity: number
}

/** What may be late: a share of the answers, and seconds. */
export interface Objective {
  allowed: number
  seconds: number
}

/** The queues that are left, and how likely each is. */
export function nodesOf({ assumed, groups, seen }: Posterior, objectives: Objective[]): Node[] {
  const cpu = seen.reduce((sum, one) => sum + one.cpu, 0)
  const demand = seen.reduce((sum, one) => sum + one.cpu * one.demand, 0) / cpu
  const best = mostLikely(groups)
  const nodes = groups.flatMap((group) =>
    Array.from(group.logLikely).flatMap((likely, at): Node[] => {
      const chance = Math.exp(likely - best)
      if (chance < 1e-5) return []
      const { discipline, servers, pauses: pause, uneven } = group
      const factor = Math.floor(at / group.delays.length)
      const delay = group.delays[at % group.delays.length]!
      const each = serviceIn(group, assumed.perCpu * demand * factors[factor]!)
      const rates = objectives.map(({ allowed, seconds }) => logCapacity(group, each, seconds - delay, allowed))
      return [
        {
          discipline,
          servers,
          pauses: pause,
          uneven,
          chance,
          factor: factors[factor]!,
          delay,
          logCapacity: Math.min(...rates),
        },
      ]
    }),
  )
  const all = nodes.reduce((sum, { chance }) => sum + chance, 0)
  return nodes.map((node) => ({ ...node, chance: node.chance / all }))
}

/** How far the best queue is from what was seen: 1 is what chance does. */
export function misfitOf({ groups, seen }: Posterior): number {
  let least = Infinity
  for (const { misfit, logLikely } of groups)
    misfit.forEach((one, at) => {
      if (logLikely[at]! > -Infinity) least = Math.min(least, one)
    })
  return least / (figures * seen.length)
}
