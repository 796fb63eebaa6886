import type { IDataObject } from 'n8n-workflow'

import type { Queue } from '../bull/queue'
import { lookAt, type Look } from './look'
import type { Parameters } from './parameters'
import { next, type State } from './pressure'

interface Listener {
  /** Whether the workflow was told of pressure last; n8n keeps it over restarts. */
  kept: { pressed?: boolean }
  changed(event: IDataObject): void
  /** Redis is gone, and the watch over. */
  lost(error: Error): void
}

/**
 * Looks at the queue again and again, until it is stopped or Redis is lost. The first look is never before this
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
        // First, because n8n saves it when the workflow starts.
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

/** What the workflow is started with. */
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
