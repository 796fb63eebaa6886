import { NOISE } from '../judge/difference.ts'
import { isOf } from '../judge/sustained.ts'
import {
  about,
  figure,
  latency,
  memory,
  moreOrLess,
  nameOf,
  percent,
  perSecond,
  plusOrMinus,
  roughly,
} from '../lib/figures.ts'
import type { Result } from '../model/result.ts'
import type { Comparison, Ratio, Sides, Summary, Worth } from '../model/summary.ts'
import { fateInWords, verb } from './labels.ts'
import { capacityInWords } from './capacity-words.ts'

/** The words for two n8n that were compared, and for what a setting is worth. */

/** How what a load costs is named and written. */
export const costWords = {
  cpu: { what: 'CPU a request', write: (seconds: number) => latency(seconds * 1000) },
  p95: { what: 'p95', write: latency },
  memory: { what: 'memory', write: memory },
}

type Measured = Pick<Summary, 'results' | 'experiment'>

/** How a variant differs from its baseline under one workflow. */
export function comparisonInWords(one: Comparison, { results, experiment }: Measured): string {
  const { variant, baseline, cell, takes } = one
  if (takes) return `${nameOf({ variant, cell })} beside ${nameOf({ variant: baseline, cell })}: ${costsOf(takes)}.`
  const [before, after] = [baseline, variant].map((name) =>
    results.find((each) => isOf({ ...one, variant: name }, each))!,
  ) as [Result, Result]
  return [verdictInWords(one, before, after), capacitiesInWords(before, after, verb(experiment))]
    .filter(Boolean)
    .join(' ')
}

/** Which is better, and the ranges that say so; empty where either sustains nothing. */
function verdictInWords(one: Comparison, before: Result, after: Result): string {
  const { finding } = one
  if (!finding) return ''
  const [was, is] = [nameOf(before), nameOf(after)]
  const ranges = rangesInWords(one)
  const said = {
    better: `${is} is better than ${was}`,
    worse: `${is} is worse than ${was}`,
    same: `No difference beyond ${percent(NOISE)} between ${is} and ${was}`,
    unsure: `Whether ${is} is better than ${was} is not known`,
  }[finding]
  return `${said}${ranges ? `: ${ranges}` : whyUnknown(before, after)}.`
}

function rangesInWords({ by, capacity, follows, throughput, cpu }: Comparison): string {
  const of = {
    throughput: throughput && `${timesInWords(throughput)} the throughput when full`,
    cpu: cpu && `${timesInWords(cpu)} the CPU an execution`,
    capacity: capacity && `${timesInWords(capacity)} the capacity${follows ? ', which follows from that' : ''}`,
  }
  // What decides comes first.
  const order = (['throughput', 'cpu', 'capacity'] as const).toSorted((a, b) => Number(b === by) - Number(a === by))
  return order.flatMap((measure) => of[measure] ?? []).join('; ')
}

/** `1.16 times (1.01 to 1.33)` */
const timesInWords = ({ low, ratio, high }: Ratio): string =>
  `${figure(ratio)} times (${figure(low)} to ${figure(high)})`

/** Why two that were measured have no ratio. */
function whyUnknown({ capacity: before }: Result, { capacity: after }: Result): string {
  const isOpen = [before, after].some((capacity) => capacity?.interval && capacity.interval.high === null)
  return isOpen ? ', since no rate was found that is too much' : ', since one run each does not tell it'
}

/** What each sustains, with its range; what it did where it sustains nothing. */
function capacitiesInWords(before: Result, after: Result, sustains: string): string {
  const [first, second] = [after, before].map((result) =>
    result.capacity
      ? `${nameOf(result)} ${sustains} ${capacityInWords(result.capacity)}${but(result)}`
      : `${nameOf(result)} ${fateInWords(result)}`,
  )
  return `${first}; ${second}.`
}

/** What the same load costs the one, and what the other. */
function costsOf(takes: NonNullable<Comparison['takes']>): string {
  const each = takes.map(({ measure, share, within, finding, sides }) => {
    const { what } = costWords[measure]
    const size =
      finding === 'same'
        ? `no difference beyond ${percent(NOISE)} in ${what}`
        : `${finding === 'unsure' ? 'unsure: ' : ''}${moreOrLess(share)} ${what}, ${plusOrMinus(within)}`
    return `${size} (${bothSides(measure, sides, (own, other) => `${own}, not ${other}`)})`
  })
  return each.join('; ')
}

/** Both figures, for brackets. */
function bothSides(
  measure: keyof typeof costWords,
  { own, other, rounds, of }: Sides,
  say: (own: string, other: string) => string,
): string {
  const { write } = costWords[measure]
  return say(write(own), write(other)) + (rounds < of ? `; both sustained it in ${rounds} of ${of} rounds` : '')
}

const but = (result: Result): string => (result.verdict.holds ? '' : ` but ${fateInWords(result)}`)

/** What n8n sustains, or costs, with a setting and without it. */
export function worthInWords(worth: Worth, { results, experiment: { variants } }: Measured): string {
  const { workflow, setting, measure, share, sides } = worth
  const left = variants.find(({ without }) => without === setting)!
  const [all, without] = [left.beside ?? variants[0]!.name, left.name].map((variant) =>
    results.find((one) => one.workflow === workflow && one.variant === variant)!,
  )
  if (share === null) return `${unknownOf(measure, all!, without!)}.`
  const figures = sides
    ? bothSides(measure as keyof typeof costWords, sides, (own, other) => `${own} with it, ${other} without`)
    : `${perSecond(all!.capacity!.rate)} with it, ${perSecond(without!.capacity!.rate)} without`
  return `${sizeOf(worth, share)} (${figures}).`
}

function sizeOf({ measure, within, finding }: Worth, share: number): string {
  const isCapacity = measure === 'capacity'
  const what = isCapacity ? '' : ` ${measure === 'p95' ? 'of ' : ''}${costWords[measure].what}`
  if (finding === 'same') return `no difference beyond ${percent(NOISE)}${what}`
  // A lower cost is better.
  const isMore = share > 0 === isCapacity
  const size = Math.abs(share)
  if (within === null) return `${about(size * 100)} % ${isMore ? 'more' : 'less'}${what}, one run`
  return `${finding === 'unsure' ? 'unsure: ' : ''}${isMore ? '+' : '−'}${roughly(size)}${what}, ${plusOrMinus(within)}`
}

function unknownOf(measure: Worth['measure'], all: Result, without: Result): string {
  if (!all.capacity) return `cannot be said: with all settings n8n ${fateInWords(all)}`
  if (!without.capacity)
    return `sustains ${perSecond(all.capacity.rate)} with it, and without it ${fateInWords(without)}`
  return `${measure === 'capacity' ? measure : costWords[measure].what} is not known`
}
