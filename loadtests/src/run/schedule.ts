import { nextLook, shareOfLength, type CandidateLook } from '../judge/search/halving.ts'
import { isDeath } from '../model/event.ts'
import type { Cell } from './cells.ts'
import type { Step } from '../model/step.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { cellKey } from '../model/result.ts'

/** What to start and measure next. */
export interface Visit {
  /** Several are what is compared with each other. They are up at once and loaded in turns, where the target can. */
  cells: number[]
  repeat: number
  /** The share of the profile's load, if it is not all of it. */
  share?: number
}

/**
 * Decides from the record which cell comes next; null when the run has its answer. It uses nothing but the record, so a
 * stopped run continues where it was.
 */
export type Schedule = (cells: Cell[], records: RunRecord[], experiment: Experiment) => Visit | null

/** Every cell, as often as asked; every second round in reverse order, so that no cell is always the first. */
export const everyCell: Schedule = (cells, records, experiment) => {
  const done = visited(records)
  const groups = comparedIn(cells, experiment)
  const repeats = experiment.repeat
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const inTurn = repeat % 2 ? groups : groups.toReversed().map((group) => group.toReversed())
    const missing = inTurn
      .map((group) => group.filter(({ number }) => !done.has(key(number, repeat))))
      .find(({ length }) => length > 0)
    if (missing) return { cells: missing.map(({ number }) => number), repeat }
  }
  return null
}

/**
 * What is compared with each other, together: all variants under one workflow, or each with the one beside which it
 * stands.
 */
function comparedIn(cells: Cell[], { variants }: Experiment): Cell[][] {
  const besides = new Map(variants.map(({ name, beside }) => [name, beside ?? name]))
  const inPairs = variants.some(({ beside }) => beside !== undefined)
  return [
    ...Map.groupBy(cells, ({ variant, traffic, matrix }) =>
      cellKey({ ...(inPairs && { variant: besides.get(variant) }), workflow: traffic.name, cell: matrix }),
    ).values(),
  ]
}

/** The cheapest that meets the objective under every workflow, by successive halving. */
export const cheapestCell: Schedule = (cells, records, { slo }) => {
  const candidates = [...Map.groupBy(cells, ({ variant, matrix }) => cellKey({ variant, cell: matrix })).values()]
  const done = visited(records)
  const looks = candidates.flatMap((own, candidate) =>
    looksAt(
      own.map(({ number }) => number),
      candidate,
      done,
      records,
      slo.p95,
    ),
  )
  const next = nextLook(
    candidates.map(([cell]) => cell!.cost!),
    looks,
  )
  if (!next) return null
  const { number } = candidates[next.candidate]!.find((cell) => !done.has(key(cell.number, next.round + 1)))!
  return { cells: [number], repeat: next.round + 1, share: shareOfLength(next.round) }
}

/** Rarely enough to cost little, often enough to see a machine change its pace. */
const calibrationLasts = 5 * 60_000

/** Whether there was no look at the machine yet, or the last one is too old for the next measurement. */
export function isCalibrationDue(records: RunRecord[], now: number): boolean {
  const last = records.findLast(({ type }) => type === 'calibration')
  return last === undefined || now - last.at >= calibrationLasts
}

const key = (cell: number, repeat: number) => `${cell} ${repeat}`

const visited = (records: RunRecord[]) =>
  new Set(records.flatMap((record) => (record.type === 'visited' ? [key(record.cell, record.repeat)] : [])))

/** A candidate has been looked at in a round when all of its workflows have, and its worst workflow decides. */
function looksAt(
  cells: number[],
  candidate: number,
  done: Set<string>,
  records: RunRecord[],
  p95: number,
): CandidateLook[] {
  const rounds = [...new Set(records.flatMap((record) => (record.type === 'visited' ? [record.repeat] : [])))].sort(
    (a, b) => a - b,
  )
  return rounds
    .filter((repeat) => cells.every((cell) => done.has(key(cell, repeat))))
    .map((repeat) => {
      const steps = cells.map((cell) => measured(records, cell, repeat))
      return {
        candidate,
        round: repeat - 1,
        holds: steps.every((step) => step?.holds),
        reach: Math.min(...steps.map((step) => (step ? reachOf(step, p95) : 0))),
      }
    })
}

function measured(records: RunRecord[], cell: number, repeat: number): Step | undefined {
  return records.findLast(
    (record) =>
      record.type === 'step' && record.cell === cell && record.repeat === repeat && record.purpose === 'measure',
  ) as Step | undefined
}

function reachOf({ load, reasons }: Step, p95: number): number {
  if (!load.latency || reasons.some(({ code }) => isDeath(code))) return 0
  return Math.min(1, load.throughput / load.rate!, p95 / load.latency.p95)
}
