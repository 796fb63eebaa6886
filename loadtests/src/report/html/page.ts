import type { Summary } from '../../model/summary.ts'
import type { Series } from '../series.ts'
import type { Result } from '../../model/result.ts'

/** What the sections share while one page is rendered. */
export interface Page {
  summary: Summary
  series: Series[]
  name: (result: Pick<Result, 'variant' | 'cell'>) => string
  colour: (result: Pick<Result, 'variant' | 'cell'>) => number
  choice: (workflow: string) => Result | null
  /** Where the files of the run are, for commands that a reader types in the repository's folder. */
  folder: string
  /** Filled by the sections, drawn in the browser by charts/: data by the id of its element. */
  charts: Record<string, Chart>
}

export type Chart = LatencyChart | TimeChart

/** Load against 95th percentile of latency, a series a configuration. */
export interface LatencyChart {
  kind: 'latency'
  xLabel: string
  /** Where one configuration carries many times what another does, a linear axis hides the slow one. */
  logarithmicX: boolean
  objective: number
  series: Array<{
    name: string
    colour: number
    points: Array<{ x: number; y: number; state: StepState; onCurve: boolean; note: string }>
  }>
}

export type StepState = 'held' | 'broke' | 'warm-up'

/** One measure of a result over time, a line a process. Times are seconds. */
export interface TimeChart {
  kind: 'time'
  unit: 'cores' | 'bytes' | 'executions' | 'requests a second'
  limit: { value: number; label: string } | null
  lines: Array<{ name: string; colour: number; dashed: boolean; t: number[]; v: Array<number | null> }>
  steps: Array<{ from: number; to: number; state: StepState; label: string }>
  exits: Array<{ at: number; label: string }>
}
