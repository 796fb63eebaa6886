import { setTimeout } from 'node:timers/promises'
import { quantileSorted } from 'simple-statistics'
import type { SchedulesSeen } from '../model/schedules.ts'
import { openKeptRuns, type KeptRun } from '../n8n/scheduled.ts'
import type { Settings } from '../n8n/settings.ts'

/** Scheduled workflows that run beside a load, each at second 0 of every minute. */
export interface OpenSchedules {
  /** Resolves once n8n has begun each of them, which one that has just started activates; says how many it has. */
  begun(onProgress: (begun: number) => void): Promise<number>
  /** What was due during that time, and what became of it. Waits until the last of it has ended, for a while. */
  during(time: { startedAt: number; endedAt: number }): Promise<SchedulesSeen>
  close(): Promise<void>
}

/** Milliseconds: n8n activates some ten a second, and runs of one minute may last into the next. */
const patience = { activation: 300_000, end: 60_000, look: 1000 }
const minute = 60_000

interface Asked {
  settings: Settings
  /** Ids of the copies, and of the workflows that callers call. */
  scheduled: string[]
  called: string[]
  signal: AbortSignal
}

export function openSchedules({ settings, scheduled, called, signal }: Asked): OpenSchedules {
  const runs = openKeptRuns(settings, scheduled, called)
  const opened = Date.now()
  const pause = () => setTimeout(patience.look, undefined, { signal })
  return {
    async begun(onProgress) {
      const until = Date.now() + patience.activation
      for (;;) {
        const begun = await runs.begun(opened)
        if (begun === scheduled.length || Date.now() > until) return begun
        onProgress(begun)
        await pause()
      }
    },
    async during({ startedAt, endedAt }) {
      const until = Date.now() + patience.end
      const dues = duesIn(startedAt, endedAt)
      for (;;) {
        const all = await runs.between(startedAt - minute, Date.now())
        const seen = outcomeOfSchedules(all, scheduled.length, dues, { startedAt, endedAt })
        if ((seen.open === 0 && seen.missed === 0) || Date.now() > until) return seen
        await pause()
      }
    },
    close: runs.close,
  }
}

/** The full minutes in a time. */
export function duesIn(startedAt: number, endedAt: number): number[] {
  const first = Math.ceil(startedAt / minute) * minute
  return Array.from(
    { length: Math.max(0, Math.floor((endedAt - first) / minute) + 1) },
    (_, nth) => first + nth * minute,
  )
}

/** Each run is known by its workflow and by the second at which it was due. */
export function outcomeOfSchedules(
  all: KeptRun[],
  copies: number,
  dues: number[],
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
): SchedulesSeen {
  const isDue = new Set(dues)
  const runs = new Map<string, { due: number; executions: KeptRun[] }>()
  for (const one of all.filter(({ scheduled }) => scheduled)) {
    // Without a note of n8n's, the last full minute before it: such an n8n knows no later ones.
    const due = Math.round((one.due ?? Math.floor(one.created / minute) * minute) / 1000) * 1000
    if (!isDue.has(due)) continue
    const key = `${one.workflow} ${due}`
    const run = runs.get(key) ?? { due, executions: [] }
    run.executions.push(one)
    runs.set(key, run)
  }
  const each = [...runs.values()]
  const executions = each.flatMap((run) => run.executions)
  const late = each.flatMap(({ due, executions: [first] }) => (first!.ended === null ? [] : first!.ended - due))
  const under = executions.map(({ created, ended }) => [created, ended ?? Infinity] as const)
  const callers = all.filter(
    ({ scheduled, created, ended }) => !scheduled && ended !== null && created >= startedAt && created <= endedAt,
  )
  const took = (isBeside: boolean) =>
    callers
      .filter(({ created, ended }) => under.some(([from, until]) => from <= ended! && created <= until) === isBeside)
      .map(({ created, ended }) => ended! - created)
  return {
    copies,
    due: dues.length,
    ran: each.length,
    missed: copies * dues.length - each.length,
    double: executions.length - each.length,
    failed: executions.filter(({ failed }) => failed).length,
    open: executions.filter(({ ended }) => ended === null).length,
    late: { p50: at(late, 0.5), p95: at(late, 0.95), max: at(late, 1) },
    callers: { beside: at(took(true), 0.95), otherwise: at(took(false), 0.95) },
  }
}

function at(values: number[], share: number): number | null {
  return values.length
    ? quantileSorted(
        values.toSorted((a, b) => a - b),
        share,
      )
    : null
}
