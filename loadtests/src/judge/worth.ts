import { about, plusOrMinus, percent, perSecond, roughly } from '../lib/figures.ts'
import { bothFigures, costs, rounds, type Cost } from './costs.ts'
import {
  corrected,
  difference,
  findingOf,
  NOISE,
  pairedDifference,
  halfWidth,
  type Difference,
  type Finding,
} from './difference.ts'
import type { Worth } from '../model/summary.ts'
import { fate } from './words.ts'
import { type Experiment, trafficNames } from '../model/experiment.ts'
import type { Result } from '../model/result.ts'

/**
 * What each setting is worth, the most valuable first: the share of capacity that is lost without it. At a given load,
 * which all of them sustain, the extra cost without it.
 */
export function worths(results: Result[], { variants, load, ...rest }: Experiment): Worth[] {
  const measures = load.shape === 'search' || load.shape === 'closed' ? [ofCapacity] : costs.map(ofCost)
  const asked = trafficNames({ load, ...rest }).flatMap((workflow) => {
    const under = (variant: string) =>
      results.find((result) => result.workflow === workflow && result.variant === variant)
    return measures.map((worthOf, index) => {
      const found = variants.flatMap(({ name, without, beside = variants[0]!.name }) => {
        const all = under(beside)
        const other = without === undefined ? undefined : under(name)
        return all && other ? [worthOf(without!, all, other)] : []
      })
      // A warning that concerns all settings appears once.
      return found.filter(({ found: one }) => one !== null || index === 0)
    })
  })
  // Among twenty settings without any effect, chance would show an effect for one.
  const chances = new Map(zip(asked.flat(), corrected(asked.flat().map(({ found }) => found?.chance ?? null))))
  return asked.flatMap((group) =>
    group.map((one) => said(one, chances.get(one)!)).toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity)),
  )
}

const zip = <A, B>(one: A[], other: B[]) => one.map((each, index) => [each, other[index]!] as const)

/** The effect of one setting, before all of them are judged together. */
interface Asked {
  workflow: string
  setting: string
  measure: Worth['measure']
  /** The difference of the measure with and without the setting. */
  found: Difference | null
  /** Words for the measure; empty for capacity, which the sentence is about. */
  what: string
  figures: string
}

function said({ workflow, setting, measure, found, what, figures }: Asked, chance: number | null): Worth {
  if (!found)
    return { workflow, setting, measure, share: null, within: null, finding: null, text: `${setting}: ${figures}.` }
  const finding = findingOf(found, NOISE, chance)
  const better = measure === 'capacity' ? 'more' : 'less'
  return {
    workflow,
    setting,
    measure,
    // A lower cost is better.
    share: measure === 'capacity' ? found.share : -found.share,
    within: halfWidth(found),
    finding: finding === 'same' || finding === 'unsure' ? finding : finding === better ? 'better' : 'worse',
    text: `${setting}: ${sizeOf(found, finding, what)} (${figures}).`,
  }
}

type WorthOf = (setting: string, all: Result, without: Result) => Asked

/** A search takes minutes, so changes of the machine are part of the spread of each. */
const ofCapacity: WorthOf = (setting, all, without) => {
  const base = { workflow: all.workflow, setting, measure: 'capacity' as const, what: '' }
  const repeats = [all, without].map(({ capacity }) => capacity?.repeats ?? []) as [number[], number[]]
  if (!all.capacity || !without.capacity || repeats.flat().includes(0))
    return { ...base, found: null, figures: whyUnknown('capacity', all, without) }
  return {
    ...base,
    found: difference(...repeats),
    figures: `${perSecond(all.capacity.rate)} with it, ${perSecond(without.capacity.rate)} without`,
  }
}

const ofCost =
  (cost: Cost): WorthOf =>
  (setting, all, without) => {
    const base = {
      workflow: all.workflow,
      setting,
      measure: cost.name,
      what: ` ${cost.name === 'p95' ? 'of ' : ''}${cost.what}`,
    }
    const compared = rounds(cost, all, without)
    if (!compared.own.length) return { ...base, found: null, figures: whyUnknown(cost.what, all, without) }
    return {
      ...base,
      found: pairedDifference(compared.own, compared.others),
      figures: bothFigures(cost, compared, (own, other) => `${own} with it, ${other} without`),
    }
  }

function sizeOf(found: Difference, finding: Finding, what: string): string {
  if (finding === 'same') return `no difference beyond ${percent(NOISE)}${what && ` ${what.trim()}`}`
  const off = halfWidth(found)
  const sign = found.share > 0 ? '+' : '−'
  if (off === null)
    return `${about(Math.abs(found.share) * 100)} % ${found.share > 0 ? 'more' : 'less'}${what}, one run`
  return `${finding === 'unsure' ? 'unsure: ' : ''}${sign}${roughly(Math.abs(found.share))}${what}, ${plusOrMinus(off)}`
}

function whyUnknown(what: string, all: Result, without: Result): string {
  if (!all.capacity) return `cannot be said: with all settings n8n ${fate(all)}`
  if (!without.capacity) return `sustains ${perSecond(all.capacity.rate)} with it, and without it ${fate(without)}`
  return `${what} is not known`
}
