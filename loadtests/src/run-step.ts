import { account, waitingOf } from './analyse/accounting.ts'
import { disagreements } from './analyse/agreement.ts'
import type { Step } from './analyse/summary.ts'
import { judge } from './analyse/verdict.ts'
import { errors } from './errors.ts'
import { driveStep } from './load/k6.ts'
import type { LoadStep } from './load/step.ts'
import type { Sample } from './observe/sample.ts'
import type { Counter } from './observe/counter.ts'
import type { Slo } from './profile/experiment.ts'
import type { Running, Target, TargetEvent } from './target/target.ts'
import { until } from './await.ts'

/** A cell that is up, with what watches it. */
export interface Watched {
  running: Running
  target: Target
  counter: Counter
  /** Both grow while the cell is measured. */
  samples: Sample[]
  exits: TargetEvent[]
  slo: Slo
  signal: AbortSignal
}

export interface StepOrder {
  load: LoadStep
  repeat: number
  purpose: Step['purpose']
  /** A death decides a search's step, so the rest of its time is saved; a closed step measures on through it. */
  endOnExit: boolean
}

/** How long a process under full load may take to say what it has counted. */
const countPatience = 10_000
/** How long executions may go on after the last request. */
const drainPatience = 30_000
/** How long n8n may take to find out which executions died with a process: a new one asks some time after its start. */
const deathPatience = 120_000

/** Drives one step from a quiet n8n to a quiet n8n, and judges it. A warm-up need not wait for quiet. */
export async function measureStep(order: StepOrder, watched: Watched): Promise<Step & { disagreements: string[] }> {
  const { running, target, samples, exits, slo, signal } = watched
  const settled = order.purpose === 'warm-up' ? 0 : drainPatience
  const before = await quietCounts(watched, settled)
  const exitsBefore = exits.length
  const load = await driveStep(order.load, {
    generator: target.generator,
    p95: slo.p95,
    signal,
    endEarly: order.endOnExit ? () => exits.length > exitsBefore : () => false,
  })
  // Asking calls the webhook, which n8n counts too: only after a death is there something to wait for.
  if (exits.length > exitsBefore) await running.ready(signal)
  const after = await quietCounts(watched, settled && exits.length > exitsBefore ? deathPatience : settled)
  const accounting = account(load.accepted, before, after, samples, load)
  const verdict = judge({ load, accounting, exits: exits.slice(exitsBefore), limitOf: (process) => limitOf(running, process) }, slo)
  // A warm-up is not waited for, so its counts are of different moments.
  const different = order.purpose === 'measure' ? disagreements(before, after) : []
  return { repeat: order.repeat, purpose: order.purpose, load, accounting, spread: gained(before.requests, after.requests), ...verdict, disagreements: different }
}

const gained = (before: Record<string, number>, after: Record<string, number>) => Object.fromEntries(Object.entries(after).map(([process, count]) => [process, count - (before[process] ?? 0)]))

/** The counts once nothing is under way any more, or after so long a wait. */
async function quietCounts({ counter, signal }: Watched, timeout: number) {
  const count = () => counter.count(countPatience)
  const quiet = await until(async () => {
    const now = await count()
    return now !== null && waitingOf(now) === 0 && now
  }, { timeout, every: 200, signal })
  signal.throwIfAborted()
  const counts = quiet ?? (await count())
  if (!counts) throw errors.neverCounted(countPatience / 1000)
  return counts
}

function limitOf(running: Running, process: string): string {
  const memory = running.processes.find(({ name }) => name === process)?.limits.memory
  return memory ? `${Math.round(memory / 2 ** 20)} MiB` : 'the whole machine'
}
