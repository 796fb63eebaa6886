import { waitingOf } from '../judge/accounting.ts'
import type { Counted, Counter } from './counter.ts'
import { until } from '../lib/await.ts'
import type { Running } from '../n8n/running.ts'
import { invalid } from '../lib/errors.ts'

/** What says how many executions are under way. */
export interface Counting {
  counter: Counter
  running: Running
  signal: AbortSignal
}

/** How long a process under full load may take to report its counts. */
const countPatience = 10_000
/** How long n8n's metrics may take to agree with its database. */
const metricsLag = 2000
/** How long after its answer an execution may begin, where no database tells it but n8n's metrics alone. */
const startLag = 1000
/** How long executions may continue after the last request. */
export const drainPatience = 30_000

/** Whether any of its processes says what it executes. */
export const counts = ({ processes }: Running) => processes.some(({ metrics }) => metrics)

/**
 * Returns when n8n has worked off what earlier requests left: what waits would slow down the next ones. It takes as
 * long as that becomes less. What stays, stays.
 */
export async function workedOff(
  watched: Counting,
  onProgress: (left: number) => void,
  patience = drainPatience,
): Promise<void> {
  if (!counts(watched.running)) return
  const leftAfter = async (timeout: number) => waitingOf(await quietCounts(watched, timeout))
  let before = Infinity
  for (let left = await leftAfter(0); left > 0 && left < before; left = await leftAfter(patience)) {
    onProgress(left)
    before = left
  }
}

/**
 * The counts once nothing is under way any more, or after a maximum wait; and how many executions the lab's own checks
 * of n8n began meanwhile.
 */
export async function quietCounts(watched: Counting, timeout: number): Promise<Counted & { asked: number }> {
  const { counter, running, signal } = watched
  const now = (await calm(watched, timeout)) ?? (await counter.count(countPatience))
  if (now) return { ...now, asked: 0 }
  // A process that ended in the meantime counts again when it is back.
  signal.throwIfAborted()
  const asked = await running.ready(signal)
  const later = (await calm(watched, timeout)) ?? (await counter.count(countPatience))
  if (!later)
    throw invalid(
      'never-counted',
      `Expected n8n to say what it finished, but /metrics did not answer within ${countPatience / 1000} s.`,
      'n8n may be stuck; its log, in the run’s folder, may say why.',
    )
  return { ...later, asked }
}

async function calm({ counter, signal }: Counting, timeout: number): Promise<Counted | undefined> {
  let since: number | null = null
  const quiet = await until(
    async () => {
      const now = await counter.count(countPatience)
      if (!now || waitingOf(now) > 0) {
        since = null
        return false
      }
      since ??= Date.now()
      // The two sources learn of an end at slightly different moments, and never learn of some ends.
      const unanimous = now.underWay <= 0 && !now.database?.open
      const lag = unanimous ? (now.database ? 0 : startLag) : metricsLag
      return Date.now() - since >= lag && now
    },
    { timeout, every: 200, signal },
  )
  signal.throwIfAborted()
  return quiet
}
