import type { Result, Worth } from './summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { latency, memory, rate, roughly } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { NOISE, noise } from './comparison.ts'
import { groupBy, mean, median, spread, uncertainty } from './statistics.ts'
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
  /** One a repeat. */
  values(result: Result): number[]
  what: string
  write(value: number): string
  /** The share that is more with the setting, and what that may be off by. */
  more(own: number[], without: number[]): { share: number; within: number }
}

const capacity: Measure = { name: 'capacity', values: (result) => result.capacity!.repeats, what: '', write: rate, more: byMedians }

const costs: Measure[] = [
  { name: 'cpu', values: ({ cpuPerRequest }) => cpuPerRequest, what: ' CPU a request', write: (seconds) => latency(seconds * 1000), more: byRounds },
  { name: 'p95', values: p95s, what: ' of p95', write: latency, more: byRounds },
  { name: 'memory', values: ({ peaks }) => peaks, what: ' memory', write: memory, more: byRounds },
]

/** A search takes minutes: what the machine does meanwhile is in the spread of each. */
function byMedians(own: number[], without: number[]) {
  return { share: median(own) / median(without) - 1, within: noise({ spread: spread(own) }, { spread: spread(without) }) }
}

/** At one rate the visits of a round follow each other closely: what the machine did in that round, both had. */
function byRounds(own: number[], without: number[]) {
  const shares = own.slice(0, without.length).map((value, round) => value / without[round]! - 1)
  return { share: mean(shares), within: uncertainty(shares) ?? NOISE }
}

function p95s({ steps }: Result): number[] {
  const measured = steps.filter(({ purpose, load }) => purpose === 'measure' && load.latency)
  return [...groupBy(measured, ({ repeat }) => repeat).values()].map((own) => median(own.map(({ load }) => load.latency!.p95)))
}

function worthOf(setting: string, all: Result, without: Result, { name, values, what, write, more }: Measure): Worth {
  const { workflow } = all
  const unknown = (text: string): Worth => ({ workflow, setting, measure: name, share: null, within: null, text: `${setting}: ${text}.` })
  if (!all.capacity) return unknown(`cannot be said: with all settings n8n ${fate(all)}`)
  if (!without.capacity) return unknown(`carries ${rate(all.capacity.rate)} with it, and without it ${fate(without)}`)
  const [own, others] = [values(all), values(without)]
  if (!own.length || !others.length) return unknown(`${what.trim()} is not known`)
  const { share: gained, within } = more(own, others)
  // More capacity is better, and less of a cost.
  const share = name === 'capacity' ? gained : -gained
  const figures = `${write(median(own))} with it, ${write(median(others))} without`
  const size = `${gained > 0 ? '+' : '−'}${roughly(Math.abs(gained))}${what}, give or take ${roughly(within)}`
  const worth = Math.abs(gained) <= within ? `no more than the noise of ${roughly(within)}${what}` : size
  return { workflow, setting, measure: name, share, within, text: `${setting}: ${worth} (${figures}).` }
}
