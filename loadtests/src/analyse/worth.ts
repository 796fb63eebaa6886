import type { Result, Worth } from './summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { giveOrTake, rate, roughly } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { bothFigures, costs, moreByRounds, rounds, type Cost } from './costs.ts'
import { noise } from './noise.ts'
import { spread } from './statistics.ts'
import { fate } from './words.ts'

/**
 * What each setting is worth, the most valuable first: what is carried less without it, a share of that; at a
 * given load, which all of them carry, what that takes more.
 */
export function worths(results: Result[], { variants, load, ...rest }: Experiment): Worth[] {
  const measures = load.shape === 'search' || load.shape === 'closed' ? [ofCapacity] : costs.map(ofCost)
  return trafficNames({ load, ...rest }).flatMap((workflow) => {
    const under = (variant: string) => results.find((result) => result.workflow === workflow && result.variant === variant)
    return measures.flatMap((worthOf, index) => {
      const found = variants.flatMap(({ name, without, beside = variants[0]!.name }) => {
        const all = under(beside)
        const other = without === undefined ? undefined : under(name)
        return all && other ? [worthOf(without!, all, other)] : []
      })
      // What cannot be compared at all is said once.
      return found.filter(({ share }) => share !== null || index === 0).toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity))
    })
  })
}

type WorthOf = (setting: string, all: Result, without: Result) => Worth

/** A search takes minutes: what the machine does meanwhile is in the spread of each. */
const ofCapacity: WorthOf = (setting, all, without) => {
  if (!all.capacity || !without.capacity) return unknown(setting, 'capacity', 'capacity', all, without)
  const share = all.capacity.rate / without.capacity.rate - 1
  const within = noise({ spread: spread(all.capacity.repeats) }, { spread: spread(without.capacity.repeats) })
  const text = `${setting}: ${sizeOf(share, within, '')} (${rate(all.capacity.rate)} with it, ${rate(without.capacity.rate)} without).`
  return { workflow: all.workflow, setting, measure: 'capacity', share, within, text }
}

const ofCost = (cost: Cost): WorthOf => (setting, all, without) => {
  const compared = rounds(cost, all, without)
  if (!compared.own.length) return unknown(setting, cost.name, cost.what, all, without)
  const { share: more, within } = moreByRounds(compared.own, compared.others)
  const text = `${setting}: ${sizeOf(more, within, ` ${cost.name === 'p95' ? 'of ' : ''}${cost.what}`)} (${bothFigures(cost, compared, (own, other) => `${own} with it, ${other} without`)}).`
  // Less of a cost is better.
  return { workflow: all.workflow, setting, measure: cost.name, share: -more, within, text }
}

function sizeOf(more: number, within: number, what: string): string {
  if (Math.abs(more) <= within) return `no more than the noise of ${roughly(within)}${what}`
  return `${more > 0 ? '+' : '−'}${roughly(Math.abs(more))}${what}, ${giveOrTake(within)}`
}

function unknown(setting: string, measure: Worth['measure'], what: string, all: Result, without: Result): Worth {
  return { workflow: all.workflow, setting, measure, share: null, within: null, text: `${setting}: ${whyUnknown(what, all, without)}.` }
}

function whyUnknown(what: string, all: Result, without: Result): string {
  if (!all.capacity) return `cannot be said: with all settings n8n ${fate(all)}`
  if (!without.capacity) return `carries ${rate(all.capacity.rate)} with it, and without it ${fate(without)}`
  return `${what} is not known`
}
