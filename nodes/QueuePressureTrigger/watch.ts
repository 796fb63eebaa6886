import type { IDataObject } from 'n8n-workflow'

import type { Queue } from '../bull/queue'
import { lookAt, type Look } from './look'
import type { Parameters } from './parameters'
import { next, type State } from './pressure'

interface Listener {
  /** The last state that the workflow got; n8n keeps it over restarts. */
  kept: { pressed?: boolean }
  changed(event: IDataObject): void
  /** Redis is lost, and the watch has ended. */
  lost(error: Error): void
}

/**
 * Looks at the queue repeatedly, until it is stopped or Redis is lost. The first look comes after this function
 * returns.
 */
export function watch(
  queue: Queue,
  { capacity, rules, everyMs }: Parameters,
  { kept, changed, lost }: Listener,
): () => void {
  let state: State = { pressed: kept.pressed === true }
  let ended = false
  let timer = setTimeout(look, 0)
  queue.client.once('end', () => end(new Error('The connection was closed')))

  async function look(): Promise<void> {
    try {
      const seen = await lookAt(queue, capacity)
      if (ended) return
      const now = Date.now()
      const { event, ...after } = next(state, seen, rules, now)
      state = after
      if (event) {
        // Set first, because n8n saves it when the workflow starts.
        kept.pressed = state.pressed
        changed(describe(state.pressed, seen, now, event.since))
      }
      timer = setTimeout(look, everyMs)
    } catch (error) {
      end(error as Error)
    }
  }

  function end(error?: Error): void {
    if (ended) return
    ended = true
    clearTimeout(timer)
    queue.close()
    if (error) lost(new Error(`Lost Redis, and with it sight of the queue: ${error.message}`))
  }

  return () => end()
}

/** The output that starts the workflow. */
export function describe(
  pressed: boolean,
  { jobs, capacity, waiting, active, workers }: Look,
  now: number,
  since = now,
): IDataObject {
  return {
    event: pressed ? 'pressure' : 'recovered',
    pressure: capacity > 0 ? Math.round((jobs / capacity) * 100) / 100 : null,
    waiting,
    active,
    capacity,
    ...(workers !== undefined && { workers }),
    since: new Date(since).toISOString(),
    at: new Date(now).toISOString(),
  }
}
