import { mean, median } from 'simple-statistics'
import { leastCores } from '../chart/executing.ts'
import type { Cell } from './cells.ts'
import { secondsOf, secondsOfTurns, secondsOfWarmUp } from './drive-load.ts'
import { roundsWanted } from './enough.ts'
import type { Experiment } from '../model/experiment.ts'
import type { Load } from '../model/load.ts'
import type { RunRecord } from '../model/record.ts'

/** How long a run will still take. */

/** Seconds from the start of n8n to its first request. */
const starting = 20
/** A search that goes on for longer than a visit usually takes is near its end. */
const lastShare = 0.1

/**
 * Seconds that the run will still take at this moment; null where nothing tells. Before a visit has ended its load
 * says how long one takes, then the typical one so far.
 */
export function secondsLeft(cells: Cell[], records: RunRecord[], experiment: Experiment, now: number): number | null {
  const visited = records.filter((record) => record.type === 'visited')
  // Nothing plans how long n8n takes to be back after a fault.
  if (visited.length === 0 && experiment.faults?.length) return null
  const each = visited.length ? typicalVisit(records, visited) : plannedVisit(cells, experiment)
  const rounds = roundsWanted(records, experiment, Math.floor(visited.length / cells.length), each * cells.length)
  const left = Math.max(0, rounds * cells.length - visited.length)
  const planned = visitsLeft(left, each, underWay(records), now) + holding(cells, records, experiment)
  const { enough } = experiment
  return enough && records[0] ? Math.max(0, Math.min(planned, enough.budget - (now - records[0].at) / 1000)) : planned
}

function visitsLeft(left: number, each: number, { began, atOnce }: UnderWay, now: number): number {
  if (left === 0) return 0
  if (began === null) return left * each
  const visit = atOnce * each
  return (left - atOnce) * each + Math.max(lastShare * visit, visit - (now - began) / 1000)
}

interface UnderWay {
  /** Null between two visits. */
  began: number | null
  /** Cells that take turns. */
  atOnce: number
}

function underWay(records: RunRecord[]): UnderWay {
  const begun = records
    .slice(1 + records.findLastIndex(({ type }) => type === 'visited'))
    .filter(({ type }) => type === 'cell')
  return { began: begun[0]?.at ?? null, atOnce: begun.length }
}

/** Seconds for each cell of a visit, from its load alone. */
const plannedVisit = (cells: Cell[], { load }: Experiment): number => starting + loading(cells, load)

function loading(cells: Cell[], load: Load): number {
  if (load.shape === 'closed') return load.duration
  if (load.shape !== 'search') return warmingUp(cells) + load.duration
  return (cells.length > 1 ? secondsOfTurns : warmingUp(cells)) + searching * secondsOf(load)
}

/** Seconds from the first request to the first step that counts; of several cells the mean. */
const warmingUp = (cells: Cell[]) => mean(cells.map(({ plan }) => secondsOfWarmUp(leastCores(plan))))

/** Between its steps n8n works off what is left. */
const searching = 1.05

function holding(cells: Cell[], records: RunRecord[], { hold }: Experiment): number {
  const held = records.filter(({ type }) => type === 'held').length
  return hold ? Math.max(0, cells.length - held) * (starting + warmingUp(cells) + hold.for) : 0
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
