import { NOISE } from '../judge/difference.ts'
import { died } from '../judge/reasons.ts'
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
  plusMinus,
  plusOrMinus,
  roughly,
} from '../lib/figures.ts'
import type { Result } from '../model/result.ts'
import type { Comparison, Ratio, Sides, Summary, Worth } from '../model/summary.ts'
import { fateInWords, verb } from './labels.ts'

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
  const { variant, baseline, cell, takes, by } = one
  if (takes) return `${nameOf({ variant, cell })} beside ${nameOf({ variant: baseline, cell })}: ${costsOf(takes)}.`
  const [before, after] = [baseline, variant].map((name) =>
    results.find((each) => isOf({ ...one, variant: name }, each))!,
  )
  if (by && by !== 'capacity' && before!.capacity && after!.capacity) return byTurns(one, before!, after!)
  return [capacities(one, before!, after!, verb(experiment)), ...inTurns(one)].join(' ')
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

/** Where the turns tell which is better, and what they sustain does not. */
function byTurns(one: Comparison, before: Result, after: Result): string {
  const [was, is] = [nameOf(before), nameOf(after)]
  return (
    `${is} is ${one.finding} than ${was}. ${inTurns(one).join(' ')} `
    + `It sustains ${perSecond(after.capacity!.rate)}${but(after)}, `
    + `${was} ${perSecond(before.capacity!.rate)}${but(before)}: that alone would not tell.`
  )
}

function inTurns({ throughput, cpu }: Comparison): string[] {
  const off = ({ low, high }: Ratio) => plusOrMinus((high - low) / 2)
  const told = [
    ...(throughput ? [`${figure(throughput.ratio)} times the throughput when full, ${off(throughput)}`] : []),
    ...(cpu ? [`${moreOrLess(cpu.ratio - 1)} CPU a request, ${off(cpu)}`] : []),
  ]
  return told.length > 0 ? [`In turns: ${told.join('; ')}.`] : []
}

function capacities({ relation }: Comparison, before: Result, after: Result, sustains: string): string {
  const [was, is] = [nameOf(before), nameOf(after)]
  const known = (result: Result) => `${sustains} ${perSecond(result.capacity!.rate)}${but(result)}`
  if (!before.capacity && !after.capacity) return `${was} ${fateInWords(before)}; ${is} ${fateInWords(after)}.`
  if (!before.capacity) return `${was} ${fateInWords(before)}; ${is} ${known(after)}.`
  if (!after.capacity) return `${is} ${fateInWords(after)}; ${was} ${known(before)}.`
  const [how, doubt] = relation ? related(relation) : ['beside', '']
  const which = !before.verdict.holds || died(before.verdict.reasons) ? `, which ${fateInWords(before)}` : ''
  return `${is} ${known(after)}, ${how} the ${perSecond(before.capacity.rate)} of ${was}${doubt}${which}.`
}

/** How one capacity relates to the other, and the doubt to add after both names. */
function related({ tells, share, within, range }: NonNullable<Comparison['relation']>): [how: string, doubt: string] {
  const alone = ` (${range ? `${rangeInWords(range)} times, by ` : ''}one run each)`
  const doubt = within === null ? alone : tells === 'unsure' ? ': unsure' : ''
  if (tells === 'nothing') return ['no clear difference from', doubt]
  if (tells === 'same') return [`no difference beyond ${percent(NOISE)} from`, '']
  const write = (value: number, scale: number) =>
    within === null ? about(value * scale) : plusMinus(value * scale, within * scale)
  if (share >= 1) return [`${write(1 + share, 1)} times`, doubt]
  return [`${write(Math.abs(share), 100)} % ${share > 0 ? 'more' : 'less'} than`, doubt]
}

const rangeInWords = ({ low, high }: { low: number; high: number | null }): string =>
  high === null ? `at least ${figure(low)}` : `${figure(low)} to ${figure(high)}`

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
