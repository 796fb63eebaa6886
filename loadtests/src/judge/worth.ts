import { costs, rounds, sidesOf, type Cost } from './costs.ts'
import { corrected, difference, findingOf, NOISE, pairedDifference, halfWidth, type Difference } from './difference.ts'
import type { Worth } from '../model/summary.ts'
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
    group
      .map((one) => judged(one, chances.get(one)!))
      .toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity)),
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
  sides: Worth['sides']
}

function judged({ found, ...asked }: Asked, chance: number | null): Worth {
  if (!found) return { ...asked, share: null, within: null, finding: null }
  const finding = findingOf(found, NOISE, chance)
  const isCapacity = asked.measure === 'capacity'
  const better = isCapacity ? 'more' : 'less'
  return {
    ...asked,
    // A lower cost is better.
    share: isCapacity ? found.share : -found.share,
    within: halfWidth(found),
    finding: finding === 'same' || finding === 'unsure' ? finding : finding === better ? 'better' : 'worse',
  }
}

type WorthOf = (setting: string, all: Result, without: Result) => Asked

/** A search takes minutes, so changes of the machine are part of the spread of each. */
const ofCapacity: WorthOf = (setting, all, without) => {
  const repeats = [all, without].map(({ capacity }) => capacity?.repeats ?? []) as [number[], number[]]
  const known = all.capacity && without.capacity && !repeats.flat().includes(0)
  return {
    workflow: all.workflow,
    setting,
    measure: 'capacity',
    sides: null,
    found: known ? difference(...repeats) : null,
  }
}

const ofCost =
  (cost: Cost): WorthOf =>
  (setting, all, without) => {
    const compared = rounds(cost, all, without)
    const known = compared.own.length > 0
    return {
      workflow: all.workflow,
      setting,
      measure: cost.name,
      sides: known ? sidesOf(compared) : null,
      found: known ? pairedDifference(compared.own, compared.others) : null,
    }
  }
