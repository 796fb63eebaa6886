import type { Result, Step, Worth } from './summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { latency, memory, rate, roughly } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { NOISE, noise } from './comparison.ts'
import { byRepeat } from './resources.ts'
import { mean, median, spread, uncertainty } from './statistics.ts'
import { fate } from './words.ts'

/**
 * What each setting is worth, the most valuable first: what is carried less without it, a share of that; at a
 * given load, which all of them carry, what that takes more.
 */
export function worths(results: Result[], { variants, load, ...rest }: Experiment): Worth[] {
  const measures = load.shape === 'search' || load.shape === 'closed' ? [capacity] : costs
  return trafficNames({ load, ...rest }).flatMap((workflow) => {
    const under = (variant: string) => results.find((result) => result.workflow === workflow && result.variant === variant)
    return measures.flatMap((measure, index) => {
      const found = variants.flatMap(({ name, without, beside = variants[0]!.name }) => {
        const all = under(beside)
        const other = without === undefined ? undefined : under(name)
        return all && other ? [worthOf(without!, all, other, measure)] : []
      })
      // What cannot be compared at all is said once.
      return found.filter(({ share }) => share !== null || index === 0).toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity))
    })
  })
}

interface Measure {
  name: Worth['measure']
  /** What is compared; nothing where n8n does not carry the load. */
  values(all: Result, without: Result): Compared
  what: string
  write(value: number): string
  /** The share that is more with the setting, and what that may be off by. */
  more(own: number[], without: number[]): { share: number; within: number }
}

interface Compared {
  own: number[]
  others: number[]
  /** Of how many rounds. */
  of: number
}

const nothing: Compared = { own: [], others: [], of: 0 }

const capacity: Measure = {
  name: 'capacity',
  values: (all, without) => (all.capacity && without.capacity ? { own: all.capacity.repeats, others: without.capacity.repeats, of: all.capacity.repeats.length } : nothing),
  what: '',
  write: rate,
  more: byMedians,
}

const costs: Measure[] = [
  { name: 'cpu', values: carried(({ cpuPerRequest }) => cpuPerRequest), what: ' CPU a request', write: (seconds) => latency(seconds * 1000), more: byRounds },
  { name: 'p95', values: carried(p95s), what: ' of p95', write: latency, more: byRounds },
  { name: 'memory', values: carried(({ peaks }) => peaks), what: ' memory', write: memory, more: byRounds },
]

/** Only of rounds that both carried, late or not: what n8n takes for requests that it loses is no price of one. */
function carried(valuesOf: (result: Result) => number[]): Measure['values'] {
  const carriedIn = (result: Result) => {
    const values = valuesOf(result)
    return new Map([...byRepeat(result.steps)].flatMap(([repeat, steps], index) => (values[index] !== undefined && steps.every(inTimeOrLate) ? [[repeat, values[index]] as const] : [])))
  }
  return (all, without) => {
    const [own, others] = [carriedIn(all), carriedIn(without)]
    const both = [...own.keys()].filter((repeat) => others.has(repeat))
    return { own: both.map((repeat) => own.get(repeat)!), others: both.map((repeat) => others.get(repeat)!), of: byRepeat(all.steps).size }
  }
}

const inTimeOrLate = ({ reasons }: Step) => reasons.every(({ code }) => code === 'latency')

/** A search takes minutes: what the machine does meanwhile is in the spread of each. */
function byMedians(own: number[], without: number[]) {
  return { share: median(own) / median(without) - 1, within: noise({ spread: spread(own) }, { spread: spread(without) }) }
}

/** At one rate the two of a round run side by side, or follow each other closely: what the machine did meanwhile, both had. */
function byRounds(own: number[], without: number[]) {
  const shares = own.map((value, round) => value / without[round]! - 1)
  return { share: mean(shares), within: uncertainty(shares) ?? NOISE }
}

function p95s({ steps }: Result): number[] {
  return [...byRepeat(steps).values()].map((own) => median(own.map(({ load }) => load.latency?.p95 ?? Infinity)))
}

function worthOf(setting: string, all: Result, without: Result, { name, values, what, write, more }: Measure): Worth {
  const { workflow } = all
  const unknown = (text: string): Worth => ({ workflow, setting, measure: name, share: null, within: null, text: `${setting}: ${text}.` })
  const { own, others, of } = values(all, without)
  if (!own.length) {
    if (!all.capacity) return unknown(`cannot be said: with all settings n8n ${fate(all)}`)
    if (!without.capacity) return unknown(`carries ${rate(all.capacity.rate)} with it, and without it ${fate(without)}`)
    return unknown(`${what.trim()} is not known`)
  }
  const { share: gained, within } = more(own, others)
  // More capacity is better, and less of a cost.
  const share = name === 'capacity' ? gained : -gained
  const figures = `${write(median(own))} with it, ${write(median(others))} without${own.length < of ? `; both carried it in ${own.length} of ${of} rounds` : ''}`
  const size = `${gained > 0 ? '+' : '−'}${roughly(Math.abs(gained))}${what}, give or take ${roughly(within)}`
  const worth = Math.abs(gained) <= within ? `no more than the noise of ${roughly(within)}${what}` : size
  return { workflow, setting, measure: name, share, within, text: `${setting}: ${worth} (${figures}).` }
}
