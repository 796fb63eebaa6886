import type { Summary } from '../model/summary.ts'
import { figure, list, percent, rate } from '../lib/figures.ts'
import { holds, toldOf, workflowsOf } from './choice.ts'
import { asking } from './commands.ts'
import type { Result } from '../model/result.ts'
import type { Sign } from './labels.ts'
import type { Slo } from '../model/experiment.ts'

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

/** How much of a limit was used. */
interface Used {
  text: string
  share: number
  /** What would be seen of it first. */
  sign: Sign
}

/** How much of what it may use a load took, what is nearest to its limit first. */
export function used({ capacity, resources }: Result, slo: Slo): Used[] {
  const p95 = capacity?.p95 == null ? [] : [use('p95', 'of its objective', capacity.p95 / slo.p95, 'latency')]
  const ofProcesses = resources.flatMap(({ process, cpu, rss, limit }) => [
    ...(cpu && limit.cpu ? [use(`${process}’s CPU`, 'of its limit', cpu.mean / limit.cpu, 'latency')] : []),
    ...(rss && limit.memory ? [use(`${process}’s memory`, 'of its limit', rss.max / limit.memory, 'oom-killed')] : []),
  ])
  return [...p95, ...ofProcesses].toSorted((a, b) => b.share - a.share)
}

/** Shared memory may be counted twice, so that the sum is cut at the limit. */
function use(what: string, of: string, share: number, sign: Sign): Used {
  const most = Math.min(1, share)
  return { text: `${what} at ${percent(Math.round(most * 100) / 100)} ${of}`, share: most, sign }
}
