import type { PatchState, Tier } from '../model/tier.ts'
import type { DatabaseSample, QueueSample, Sample } from '../model/sample.ts'
import type { Values } from '../model/experiment.ts'
import type { WithoutEditors } from '../model/editors.ts'
import type { SeededHistory } from '../model/history.ts'
import type { RunRecord } from '../model/record.ts'
import { cellKey, type Realism, type Resources, type Result, type ResultExit } from '../model/result.ts'
import type { OutsideCount } from '../model/outside.ts'
import type { HeldStep, Step } from '../model/step.ts'
import type { Explanation } from '../model/explanation.ts'
import { withFunctions } from './explain.ts'

/** Everything that was recorded of one variant under one workflow in one cell of the matrix. */
export interface Gathered {
  variant: string
  workflow: string
  cell: Values
  values: Values
  limits: Record<string, Resources['limit']>
  cost: number | null
  tier: Tier | null
  patches: PatchState[]
  steps: Step[]
  /** What was held after the search. */
  held: HeldStep[]
  /** The repeats that were measured to their end. */
  finished: Set<number>
  /** A list for each time that its cell was opened. */
  samples: Iterable<Sample>[]
  queue: QueueSample[]
  database: DatabaseSample[]
  exits: ResultExit[]
  failure: Result['failure']
  /** One a visit. */
  outside: OutsideCount[]
  realism: Realism[]
  withoutEditors: WithoutEditors[]
  /** Of its last visit. */
  history: SeededHistory | null
  explained: Explanation | null
}

/** Groups the records of a run by what they measured, in the order of their first measurement. */
export function gather(records: RunRecord[]): Gathered[] {
  const byKey = new Map<string, Gathered>()
  const byCell = new Map<number, Gathered>()
  for (const record of records) {
    if (record.type === 'cell') {
      const key = cellKey({ ...record, cell: record.matrix })
      const gathered = byKey.get(key) ?? start(record)
      byKey.set(key, gathered)
      byCell.set(record.cell, gathered)
    } else if ('cell' in record) {
      // A record of a cell that was never opened belongs to no result.
      const gathered = byCell.get(record.cell)
      if (gathered) add(gathered, record)
    }
  }
  return [...byKey.values()]
}

function start(record: Extract<RunRecord, { type: 'cell' }>): Gathered {
  const { variant, workflow, matrix: cell, values, limits, cost, tier } = record
  return {
    variant,
    workflow,
    cell,
    values,
    limits,
    cost,
    tier,
    patches: [],
    steps: [],
    held: [],
    finished: new Set(),
    samples: [],
    queue: [],
    database: [],
    exits: [],
    failure: null,
    outside: [],
    realism: [],
    withoutEditors: [],
    history: null,
    explained: null,
  }
}

function add(gathered: Gathered, record: RunRecord): void {
  if (record.type === 'step') {
    gathered.steps.push(stepOf(record))
  } else if (record.type === 'held') {
    const { type: _, at: __, cell: ___, ...held } = record
    gathered.held.push(held)
  } else if (record.type === 'visited') {
    gathered.finished.add(record.repeat)
  } else if (record.type === 'sample') {
    gathered.samples.push([record])
  } else if (record.type === 'samples') {
    gathered.samples.push(record.samples)
  } else if (record.type === 'patches') {
    gathered.patches.push(...record.patches)
  } else if (record.type === 'queue') {
    gathered.queue.push(record)
  } else if (record.type === 'database') {
    gathered.database.push(record)
  } else if (record.type === 'outside') {
    const { calls, cpu, turnedAway, left, policy } = record
    gathered.outside.push({ calls, cpu, turnedAway, left, ...(policy !== undefined && { policy }) })
  } else if (record.type === 'rehearsed') {
    gathered.realism.push(...record.workflows)
  } else if (record.type === 'without-editors') {
    const { p95, startedAt, endedAt } = record
    gathered.withoutEditors.push({ p95, startedAt, endedAt })
  } else if (record.type === 'history') {
    const { executions, bytes, hours, took } = record
    gathered.history = { executions, bytes, hours, took }
  } else if (record.type === 'explained') {
    gathered.explained = { rate: record.rate, processes: record.processes.map(withFunctions) }
  } else if (record.type === 'cell-failed') {
    gathered.failure = { code: record.code, message: record.message, log: record.log }
  } else if (record.type === 'event' && record.exit && record.exit.reason !== 'stopped') {
    const { reason, code, signal } = record.exit
    gathered.exits.push({ process: record.process, at: record.at, reason, code, signal })
  }
}

/** The step alone, with all that it may have. */
function stepOf({ type: _, at: __, cell: ___, ...step }: Extract<RunRecord, { type: 'step' }>): Step {
  return step
}
