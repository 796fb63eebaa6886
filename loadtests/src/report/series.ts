import { cellKey, type Result } from '../model/result.ts'
import type { QueueSample, Sample } from '../model/sample.ts'
import type { RunRecord } from '../model/record.ts'

/** The samples of one result, in the order in which they were taken. */
export interface Series extends Pick<Result, 'variant' | 'workflow' | 'cell'> {
  /** The moment when its cell was opened. */
  startedAt: number
  samples: Sample[]
  /** The length of its queue; empty in regular mode. */
  queue: QueueSample[]
}

export function seriesOf(records: RunRecord[]): Series[] {
  const byCell = new Map<number, Series>()
  for (const record of records) {
    if (record.type === 'cell') {
      const { variant, workflow, matrix: cell, at: startedAt } = record
      byCell.set(record.cell, { variant, workflow, cell, startedAt, samples: [], queue: [] })
    } else if (record.type === 'sample') {
      const { type: _type, cell, ...sample } = record
      byCell.get(cell)?.samples.push(sample)
    } else if (record.type === 'queue') {
      byCell.get(record.cell)?.queue.push({ at: record.at, waiting: record.waiting, active: record.active })
    }
  }
  return [...byCell.values()]
}

/** A cell that was measured in several visits has several series. */
export function seriesFor(result: Result, all: Series[]): Series[] {
  const key = cellKey(result)
  return all.filter((series) => cellKey(series) === key)
}
