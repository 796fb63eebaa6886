/** An execution as the public API lists it. */
export interface ListedExecution {
  id: string | number
  workflowId: string | number
  mode: string
  startedAt: string | null
  stoppedAt: string | null
  /** Absent in n8n 0.x. */
  status?: string
  finished?: boolean
}

/** What a workflow did in the period that was read. */
export interface Habit {
  workflow: string
  executions: number
  failed: number
  /** How long its executions ran, in milliseconds. */
  ran: { p50: number; p95: number } | null
}

export interface ExecutionHistory {
  /** Executions started by webhook, the most frequent workflow first. */
  habits: Habit[]
  /** The minute with the most such executions, and their number. */
  peak: { at: number; executions: number } | null
  /** The hour of the week, in UTC, that is busier than others each time; null where none is, or too little is known. */
  weekly: { day: number; hour: number; executions: number; times: number } | null
  /** Executions started in other ways, by mode. */
  others: Record<string, number>
  /** Times of the first and the last execution read. */
  from: number | null
  to: number | null
}

const minute = 60_000
/** Run times kept for each workflow, spread evenly over all of them. */
const kept = 2000

interface Growing {
  executions: number
  failed: number
  timed: number
  times: number[]
}

/** Takes executions one by one and keeps only data of constant size, except one number for each minute. */
export function openHistory(random: () => number = Math.random): {
  add(execution: ListedExecution): void
  read(): ExecutionHistory
} {
  const workflows = new Map<string, Growing>()
  const minutes = new Map<number, number>()
  const others: Record<string, number> = {}
  let from: number | null = null
  let to: number | null = null

  return {
    add(execution) {
      const begun = execution.startedAt === null ? NaN : Date.parse(execution.startedAt)
      if (Number.isNaN(begun)) return
      from = Math.min(from ?? begun, begun)
      to = Math.max(to ?? begun, begun)
      if (execution.mode !== 'webhook') {
        others[execution.mode] = (others[execution.mode] ?? 0) + 1
        return
      }
      minutes.set(Math.floor(begun / minute), (minutes.get(Math.floor(begun / minute)) ?? 0) + 1)
      const id = String(execution.workflowId)
      const growing = workflows.get(id) ?? { executions: 0, failed: 0, timed: 0, times: [] }
      workflows.set(id, growing)
      growing.executions++
      if (hasFailed(execution)) growing.failed++
      const ended = execution.stoppedAt === null ? NaN : Date.parse(execution.stoppedAt)
      if (!Number.isNaN(ended)) keep(growing, ended - begun, random)
    },
    read: () => ({
      habits: [...workflows]
        .map(([workflow, { executions, failed, times }]) => ({ workflow, executions, failed, ran: percentiles(times) }))
        .sort((a, b) => b.executions - a.executions),
      peak: peakOf(minutes),
      weekly: weeklyOf(minutes, from, to),
      others,
      from,
      to,
    }),
  }
}

function hasFailed({ status, finished, stoppedAt }: ListedExecution): boolean {
  return status === undefined ? finished === false && stoppedAt !== null : status === 'error' || status === 'crashed'
}

function keep(growing: Growing, ms: number, random: () => number): void {
  growing.timed++
  const place = growing.timed <= kept ? growing.timed - 1 : Math.floor(random() * growing.timed)
  if (place < kept) growing.times[place] = ms
}

function percentiles(times: number[]): Habit['ran'] {
  if (times.length === 0) return null
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { p50: at(0.5), p95: at(0.95) }
}

/** Among equally busy minutes, the first one. */
function peakOf(minutes: Map<number, number>): ExecutionHistory['peak'] {
  let peak: ExecutionHistory['peak'] = null
  for (const [number, executions] of minutes) {
    const at = number * minute
    if (!peak || executions > peak.executions || (executions === peak.executions && at < peak.at))
      peak = { at, executions }
  }
  return peak
}

const hour = 60 * minute
const week = 168 * hour
/** An hour less busy than this, against the others, needs no workers of its own. */
const leastTimes = 2

/** Of whole weeks, two or more: an hour that was busy once is no habit. */
function weeklyOf(minutes: Map<number, number>, from: number | null, to: number | null): ExecutionHistory['weekly'] {
  const weeks = from === null || to === null ? 0 : Math.floor((to - from) / week)
  if (weeks < 2) return null
  // The same hour of each week, newest week first.
  const counts = Array.from({ length: 168 }, () => Array.from({ length: weeks }, () => 0))
  for (const [number, executions] of minutes) {
    const at = new Date(number * minute)
    const ago = Math.floor((to! - at.getTime()) / week)
    if (ago < weeks) counts[24 * at.getUTCDay() + at.getUTCHours()]![Math.max(0, ago)]! += executions
  }
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
  const sums = counts.map(sum)
  const usual = sum(sums) / counts.length / weeks
  const busiest = sums.indexOf(Math.max(...sums))
  if (counts[busiest]!.some((executions) => executions < leastTimes * usual)) return null
  const executions = Math.round(sums[busiest]! / weeks)
  return { day: Math.floor(busiest / 24), hour: busiest % 24, executions, times: executions / usual }
}
