import type { Summary } from '../model/summary.ts'
import { figure, list, percent, rate } from '../lib/figures.ts'
import { holds, toldOf, workflowsOf } from './choice.ts'
import { asking } from './commands.ts'
import { used } from './room.ts'
import type { Result } from '../model/result.ts'

/** A sentence, and its command. */
export interface Told {
  text: string
  command?: string
}

/** How far what was asked lies from what n8n carries. */
export function headroomOf(summary: Summary, folder: string): Told {
  const { need, load } = summary.experiment
  const told = toldOf(summary)
  if (told.length === 0) return { text: 'Not known: nothing was measured.' }
  if (need !== undefined) return { text: ofNeed(told, need, summary) }
  if ('rate' in load) return { text: ofLoad(told, load.rate, summary) }
  const carried = told.filter(holds)
  if (carried.length === 0) return { text: 'None: nothing met the objective.' }
  if (load.shape === 'closed')
    return {
      text: `No rate was asked for: each of ${figure(load.vus)} clients waits for its answer before it asks again.`,
    }
  if (load.shape === 'ramp') return { text: `None is known beyond ${rate(load.to)}, the end of the ramp.` }
  const least = Math.min(...carried.map(({ capacity }) => capacity!.rate))
  return {
    text: `No rate was asked for.${atMost(carried)} Put your rate in place of the last number:`,
    command: asking(folder, Number((least / 2).toPrecision(1))),
  }
}

/** What to run it at, where that is known. */
function atMost(carried: Result[]): string {
  const known = carried.flatMap(({ operating }) => operating ?? [])
  const [first] = known
  if (!first) return ''
  if (known.length > 1) return ` Run each at ${percent(first.share)} of the least it may sustain.`
  return ` Run it at ${rate(first.rate)}, ${percent(first.share)} of the least it may sustain.`
}

function ofNeed(told: Result[], need: number, summary: Summary): string {
  const { needIs } = summary.experiment
  const several = workflowsOf(summary).length > 1
  const parts = told.map((result) => {
    const under = several ? ` under ${result.workflow}` : ''
    return `${holds(result) ? times(result, need) : 'nothing'}${under}`
  })
  const little = told.some((result) => !holds(result) || result.capacity!.rate < need)
  const asked = `Asked for: ${needIs === undefined ? '' : `${needIs}, `}${rate(need)}${several ? ' of each' : ''}.`
  return `${asked} ${little ? 'That is too much' : 'That is sustained'}: n8n sustains ${list(parts)}.`
}

/** `2 times that (between 1.9 and 2.1)` */
function times({ capacity }: Result, need: number): string {
  const { rate: reached, interval } = capacity!
  const share = (of: number) => figure(Number((of / need).toPrecision(2)))
  const sides = interval?.high ? ` (between ${share(interval.low)} and ${share(interval.high)})` : ''
  return `${share(reached)} times that${sides}`
}

/** More than the rate that was asked for was not tried: what is known is how much of everything it took. */
function ofLoad(told: Result[], asked: number, { experiment }: Summary): string {
  const missed = told.filter((result) => !result.verdict.holds)
  if (missed.length > 0)
    return `None: at ${rate(asked)} the objective was missed under ${list(missed.map(({ workflow }) => workflow))}.`
  const tightest = told
    .map((result) => used(result, experiment.slo))
    .toSorted((a, b) => (b[0]?.share ?? 0) - (a[0]?.share ?? 0))[0]!
  const room = tightest.length > 0 ? ` At that rate: ${list(tightest.slice(0, 3).map(({ text }) => text))}.` : ''
  return `${rate(asked)} held, and more was not tried.${room}`
}
