import type { Result, Worth } from './summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { rate, roughly } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { noise } from './comparison.ts'
import { fate } from './words.ts'

/** What each setting is worth: what is carried less without it, a share of that, the most valuable first. */
export function worths(results: Result[], { variants, ...rest }: Experiment): Worth[] {
  return trafficNames(rest).flatMap((workflow) => {
    const under = (variant: string) => results.find((result) => result.workflow === workflow && result.variant === variant)
    const all = under(variants[0]!.name)
    const found = variants.flatMap(({ name, without }) => {
      const other = without === undefined ? undefined : under(name)
      return all && other ? [worthOf(without!, all, other)] : []
    })
    return found.toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity))
  })
}

function worthOf(setting: string, all: Result, without: Result): Worth {
  const { workflow } = all
  if (!all.capacity || !without.capacity) {
    const text = all.capacity
      ? `carries ${rate(all.capacity.rate)} with it, and without it ${fate(without)}`
      : `cannot be said: with all settings n8n ${fate(all)}`
    return { workflow, setting, share: null, within: null, text: `${setting}: ${text}.` }
  }
  const share = all.capacity.rate / without.capacity.rate - 1
  const within = noise(all.capacity, without.capacity)
  const figures = `${rate(all.capacity.rate)} with it, ${rate(without.capacity.rate)} without`
  const worth = Math.abs(share) <= within ? `no more than the noise of ${roughly(within)}` : `${share > 0 ? '+' : '−'}${roughly(Math.abs(share))}, give or take ${roughly(within)}`
  return { workflow, setting, share, within, text: `${setting}: ${worth} (${figures}).` }
}
