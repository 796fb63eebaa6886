import { edgeOf, roundedShare } from '../judge/operating.ts'
import { summarise } from '../judge/summarise.ts'
import type { Cell } from './cells.ts'
import { isStopped } from '../judge/verdict.ts'
import { rise, type Others } from './drive-foreign.ts'
import { margin, warmUp, type Warming } from './drive-load.ts'
import type { Measure } from './step.ts'
import type { DatabaseSize, HeldStep } from '../model/step.ts'
import type { Hold } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { cellKey } from '../model/result.ts'

/** After a search: the rate that is recommended, held for minutes on an n8n that was started anew. */

/** What to hold of one cell. */
export interface HoldOrder extends Hold {
  /** The safe rate, requests a second. */
  edge: number
}

/** The cells whose rate is still to be held: those with a capacity, and without a record of a held rate. */
export function holdsLeft(cells: Cell[], records: RunRecord[], hold: Hold): { cell: Cell; hold: HoldOrder }[] {
  const held = new Set(records.flatMap((record) => (record.type === 'held' ? [record.cell] : [])))
  const results = new Map(summarise(records).results.map((result) => [cellKey(result), result]))
  return cells.flatMap((cell) => {
    const key = cellKey({ variant: cell.variant, workflow: cell.traffic.name, cell: cell.matrix })
    const capacity = results.get(key)?.capacity
    return capacity && !held.has(cell.number) ? [{ cell, hold: { ...hold, edge: edgeOf(capacity) } }] : []
  })
}

/** A rate that breaks is followed by a smaller one, so often at most. */
const tries = 3
const lessEachTime = 0.75

interface HoldTools {
  measure: Measure
  warming: Warming
  /** n8n is somebody else's. */
  foreign?: Others
  /** How large n8n's database is; null where it does not say. */
  size: () => Promise<DatabaseSize | null>
  keep: (held: HeldStep) => void
}

export async function holdRate({ edge, share, for: seconds }: HoldOrder, tools: HoldTools): Promise<void> {
  if (tools.foreign) {
    const { missed } = await rise(tools.measure, roundedShare(edge, share), tools.foreign)
    if (missed) return tools.keep({ ...missed, share, database: null })
  } else await warmUp(tools.measure, tools.warming, margin * edge * share)
  for (let tried = 0; tried < tries; tried++) {
    const held = await holdAt({ edge, share: share * lessEachTime ** tried, for: seconds }, tools)
    tools.keep(held)
    if (held.holds || isStopped(held)) return
  }
}

async function holdAt({ edge, share, for: seconds }: HoldOrder, { measure, size }: HoldTools): Promise<HeldStep> {
  const rate = roundedShare(edge, share)
  const before = await size()
  const step = await measure({ kind: 'constant', rate }, seconds, { purpose: 'measure', endOnExit: false })
  const after = await size()
  return { ...step, share, database: before && after ? { before, after } : null }
}
