/** Watches the answers of somebody else's n8n while k6 loads it, and ends the load when its callers wait too long. */
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import { watchLateness } from './stop.ts'

const objective = Number(__ENV.OBJECTIVE ?? Infinity)
const watched = __ENV.STOP && Number.isFinite(objective) ? watchLateness(objective) : null
const stopped = new Counter('stopped_latency')

/** Milliseconds from one look at those that have no answer to the next. */
const every = 100

/** Moments since when requests wait. Several may begin in one millisecond. */
const waiting = new Set<{ since: number }>()
let looking = false

/**
 * A request begins to wait. Returns the function that is called when it has its answer. `late` receives the
 * milliseconds of each request that is late when the load ends.
 */
export function waits(since: number, late: (waited: number) => void): () => void {
  if (!watched) return () => {}
  const own = { since }
  waiting.add(own)
  if (!looking) look(late)
  return () => {
    waiting.delete(own)
    watched.answered(since, Date.now())
    endIfTooLong(late)
  }
}

function look(late: (waited: number) => void): void {
  endIfTooLong(late)
  looking = waiting.size > 0
  if (looking) setTimeout(() => look(late), every)
}

function endIfTooLong(late: (waited: number) => void): void {
  const now = Date.now()
  if (
    !watched!.isTooLong(
      [...waiting].map(({ since }) => since),
      now,
    )
  )
    return
  for (const { since } of waiting) if (now - since > objective) late(now - since)
  stopped.add(1)
  exec.test.abort('callers wait longer than the objective')
}
