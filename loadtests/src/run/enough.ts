import { firstLook } from '../judge/looks.ts'
import { summarise } from '../judge/summarise.ts'
import type { Comparison, Summary } from '../model/summary.ts'
import { everyCell, type Schedule } from './schedule.ts'
import type { Result } from '../model/result.ts'
import type { Enough, Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'

/** Runs rounds of all cells until the figures are as precise as asked, or the time is over. */

/** Rounds. */
const least = firstLook
const most = 30

/** How many rounds the run will have, as far as the spread of its figures says; each takes so many seconds. */
export function roundsWanted(records: RunRecord[], experiment: Experiment, done: number, round: number): number {
  const { enough, repeat } = experiment
  if (!enough) return repeat
  const off = done >= least ? Math.min(offBy(records, experiment), most) : 1
  const wanted = done < least ? least : Math.min(most, Math.ceil(done * off ** 2))
  return Math.min(wanted, Math.max(1, Math.floor(enough.budget / round)))
}

/** Of n8n that take turns: whether the figures need no more of them, or there is no time for another one. */
export function isEnough(records: RunRecord[], experiment: Experiment, done: number): boolean {
  const first = records.find((record) => record.type === 'step' && record.turn !== undefined)
  if (first?.type !== 'step' || done === 0) return false
  const each = (records.at(-1)!.at - first.load.startedAt) / 1000 / done
  if (spentIn(records) + each > experiment.enough!.budget) return true
  return done >= least && offBy(records, experiment) <= 1
}

/** Whole rounds only, so that every cell has had the same number. Those that took turns have had all of theirs. */
export const untilEnough: Schedule = (cells, records, experiment) => {
  const tookTurns = records.some((record) => record.type === 'step' && record.turn !== undefined)
  if (tookTurns && experiment.load.shape !== 'search') return everyCell(cells, records, { ...experiment, repeat: 1 })
  for (let repeat = 1; repeat <= most; repeat++) {
    const visit = everyCell(cells, records, { ...experiment, repeat })
    if (visit) return repeat === 1 || begun(records, repeat) || goesOn(records, experiment, repeat - 1) ? visit : null
  }
  return null
}

const begun = (records: RunRecord[], repeat: number) =>
  records.some((record) => record.type === 'visited' && record.repeat === repeat)

function goesOn(records: RunRecord[], experiment: Experiment, done: number): boolean {
  const { budget } = experiment.enough!
  const spent = spentIn(records)
  if (spent + spent / done > budget) return false
  return done < least || offBy(records, experiment) > 1
}

/** Seconds, from the first record to the last. */
const spentIn = (records: RunRecord[]) => (records.at(-1)!.at - records[0]!.at) / 1000

/** The widest range, as a multiple of the one asked for; a gate is finished when no verdict is unsure. */
export function offBy(records: RunRecord[], { enough }: Pick<Experiment, 'enough'>): number {
  const summary = summarise(records)
  if (summary.gate) return summary.gate.verdicts.some(({ verdict }) => verdict === 'unsure') ? Infinity : 0
  return Math.max(0, ...widths(summary)) / enough!.within
}

/** The ± of each figure that the run is about, as a share. */
function widths({ results, comparison }: Summary): number[] {
  const beside = comparison.flatMap(({ takes = [] }: Comparison) =>
    takes.flatMap(({ measure, within }) => (measure === 'cpu' ? [within ?? Infinity] : [])),
  )
  return beside.length
    ? beside
    : results.flatMap(({ capacity }: Result) => (capacity?.interval ? [widthOf(capacity.interval)] : []))
}

const widthOf = ({ low, high }: { low: number; high: number | null }) => ((high ?? low) / low - 1) / 2

/** A gate at a rate: until it is sure, or four minutes are over with the start of n8n. */
export const usualGate: Enough = { within: 0.1, budget: 3.5 * 60 }

/** The default of the one that the user did not give. */
export const usualEnough: Enough = { within: 0.1, budget: 15 * 60 }
