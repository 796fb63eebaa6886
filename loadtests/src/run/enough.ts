import { median } from 'simple-statistics'
import { firstLook } from '../judge/looks.ts'
import { summarise } from '../judge/summarise.ts'
import type { Comparison, Summary } from '../model/summary.ts'
import type { Cell } from './cells.ts'
import { everyCell, type Schedule } from './schedule.ts'
import type { Result } from '../model/result.ts'
import type { Enough, Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'

/** Runs rounds of all cells until the figures are as precise as asked, or the time is over. */

const least = firstLook
const most = 30

/** Whole rounds only, so that every cell has had the same number. */
export const untilEnough: Schedule = (cells, records, experiment) => {
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

/**
 * Seconds that the run will still take, from its typical visit so far; null before the first has ended. The
 * spread of the figures gives an estimate of the rounds, limited by the time that was given.
 */
export function remaining(cells: Cell[], records: RunRecord[], experiment: Experiment): number | null {
  const visited = records.filter((record) => record.type === 'visited')
  if (visited.length === 0) return null
  const each = typicalVisit(records, visited)
  const { enough } = experiment
  if (!enough) return Math.max(0, experiment.repeat * cells.length - visited.length) * each
  const done = Math.floor(visited.length / cells.length)
  const off = done >= least ? Math.min(offBy(records, experiment), most) : 1
  const wanted = done < least ? least : Math.min(most, Math.ceil(done * off ** 2))
  const round = each * cells.length
  const affordable = Math.max(1, Math.floor(enough.budget / round))
  return Math.max(0, Math.min(wanted, affordable) * cells.length - visited.length) * each
}

/**
 * Seconds for each cell of the median visit: one in which n8n died again and again says little of the others. The first
 * counts from when n8n was ready, because only before it n8n may have to be installed.
 */
function typicalVisit(records: RunRecord[], visited: { at: number }[]): number {
  const ends = [...Map.groupBy(visited, ({ at }) => at)]
  const ready = records.find((record) => record.type === 'event' && record.kind === 'ready')
  let from = ready && ready.at < ends[0]![0] ? ready.at : records[0]!.at
  return median(
    ends.map(([at, { length }]) => {
      const seconds = (at - from) / 1000 / length
      from = at
      return seconds
    }),
  )
}

/** The default of the one that the user did not give. */
export const usualEnough: Enough = { within: 0.1, budget: 15 * 60 }
