import type { ProcessProfile, ThreadTime } from '../../targets/profile.ts'
import { areas, type Area } from './areas.ts'
import { add, bytesByArea, looksByArea, type Amounts } from './by-area.ts'
import type { ExplainedProcess, Share } from '../../model/explanation.ts'

/**
 * Where a process's CPU time went: the main thread's by V8's looks, that of all other threads and processes by their
 * kind.
 */
export function explainProcess(process: string, profile: ProcessProfile): ExplainedProcess {
  const [main, ...others] = profile.threads as [ThreadTime, ...ThreadTime[]]
  const seconds = scaled(looksByArea(profile.cpu), main.seconds)
  for (const thread of others) add(seconds, areaOfThread(thread.name, main.name, profile), thread.seconds)
  for (const { command, seconds: taken } of profile.others)
    add(seconds, /task-runner/.test(command) ? 'runner' : 'children', taken)
  const found = total(seconds)
  return {
    process,
    elapsed: profile.elapsed,
    cpu: profile.counted,
    unexplained: profile.counted > 0 ? (profile.counted - found) / profile.counted : 0,
    idle: Math.max(0, 1 - main.seconds / profile.elapsed),
    shares: shares(seconds, profile.counted),
    allocated: shares(bytesByArea(profile.heap)),
  }
}

/**
 * isolated-vm gives its threads no name, so they have the name of the thread that made them, and most end before the
 * lab sees them. Old releases of Node name no threads: without isolated-vm, such threads are Node's.
 */
function areaOfThread(name: string, main: string, { natives }: ProcessProfile): Area {
  const has = (file: RegExp) => natives.some((native) => file.test(native))
  if (/^v8:Prof|Inspector/i.test(name)) return 'profiling'
  if (/V8Worker|DelayedTask/.test(name)) return 'gc'
  // n8n writes its event log in a worker thread.
  if (/^WorkerThread/.test(name)) return 'events'
  if (/^libuv/.test(name)) return has(/sqlite3/) ? 'database' : 'node'
  if (name === main || name === 'ended') return has(/\/isolated-vm\//) ? 'isolates' : 'node'
  return 'node'
}

function scaled(amounts: Amounts, seconds: number): Amounts {
  const all = total(amounts)
  if (all === 0) return seconds > 0 ? { node: seconds } : {}
  return Object.fromEntries(Object.entries(amounts).map(([area, amount]) => [area, (amount / all) * seconds]))
}

const total = (amounts: Amounts) => Object.values(amounts).reduce((sum, amount) => sum + amount, 0)

/** The largest first. */
function shares(amounts: Amounts, whole = total(amounts)): Share[] {
  const all = Object.entries(amounts) as [Area, number][]
  return all
    .map(([area, amount]) => ({ area, what: areas[area].label, amount, share: whole > 0 ? amount / whole : 0 }))
    .toSorted((a, b) => b.amount - a.amount)
}
