import type { Result, Worth } from './summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { latency, memory, rate, roughly } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { noise } from './comparison.ts'
import { groupBy, median, spread } from './statistics.ts'
import { fate } from './words.ts'

/**
 * What each setting is worth, the most valuable first: what is carried less without it, a share of that; at a
 * given load, which all of them carry, what that takes more.
 */
export function worths(results: Result[], { variants, load, ...rest }: Experiment): Worth[] {
  const measures = load.shape === 'search' || load.shape === 'closed' ? [capacity] : costs
  return trafficNames({ load, ...rest }).flatMap((workflow) => {
    const under = (variant: string) => results.find((result) => result.workflow === workflow && result.variant === variant)
    const all = under(variants[0]!.name)
    return measures.flatMap((measure, index) => {
      const found = variants.flatMap(({ name, without }) => {
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
}

const capacity: Measure = { name: 'capacity', values: (result) => result.capacity!.repeats, what: '', write: rate }

const costs: Measure[] = [
  { name: 'cpu', values: ({ cpuPerRequest }) => cpuPerRequest, what: ' CPU a request', write: (seconds) => latency(seconds * 1000) },
  { name: 'p95', values: p95s, what: ' of p95', write: latency },
  { name: 'memory', values: ({ peaks }) => peaks, what: ' memory', write: memory },
]

function p95s({ steps }: Result): number[] {
  const measured = steps.filter(({ purpose, load }) => purpose === 'measure' && load.latency)
  return [...groupBy(measured, ({ repeat }) => repeat).values()].map((own) => median(own.map(({ load }) => load.latency!.p95)))
}

function worthOf(setting: string, all: Result, without: Result, { name, values, what, write }: Measure): Worth {
  const { workflow } = all
  const unknown = (text: string): Worth => ({ workflow, setting, measure: name, share: null, within: null, text: `${setting}: ${text}.` })
  if (!all.capacity) return unknown(`cannot be said: with all settings n8n ${fate(all)}`)
  if (!without.capacity) return unknown(`carries ${rate(all.capacity.rate)} with it, and without it ${fate(without)}`)
  const [own, others] = [values(all), values(without)]
  if (!own.length || !others.length) return unknown(`${what.trim()} is not known`)
  const gained = median(own) / median(others) - 1
  // More capacity is better, and less of a cost.
  const share = name === 'capacity' ? gained : -gained
  const within = noise({ spread: spread(own) }, { spread: spread(others) })
  const figures = `${write(median(own))} with it, ${write(median(others))} without`
  const size = `${gained > 0 ? '+' : '−'}${roughly(Math.abs(gained))}${what}, give or take ${roughly(within)}`
  const worth = Math.abs(gained) <= within ? `no more than the noise of ${roughly(within)}${what}` : size
  return { workflow, setting, measure: name, share, within, text: `${setting}: ${worth} (${figures}).` }
}
