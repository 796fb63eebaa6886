import { until } from '../support/await.ts'
import type { Running } from '../target/target.ts'
import { openLedger } from './executions.ts'
import type { Executed } from './oracle.ts'

/** Follows the executions of a load in n8n's database while stores and processes come and go. */
export interface Watch {
  /** All of them once none is under way any more, or after a long wait. */
  settled(): Promise<Executed[]>
  stop(): void
}

/** Until n8n has found out which executions died: Bull gives up a dead worker's job within two minutes. */
const quiet = 150_000
const every = 1000
const ended = new Set(['success', 'error', 'failed', 'crashed', 'canceled'])

export function watchExecutions(trace: string, { settings, settingsNow }: Running, signal: AbortSignal): Watch {
  const ledger = openLedger(trace)
  let now = settings
  let busy = false

  /** A database that is on its way back is asked again, where it then is. */
  async function tryTo<T>(look: (settings: Record<string, string>) => Promise<T>): Promise<T | undefined> {
    try {
      if (now) return await look(now)
    } catch {
      if (settingsNow) now = await settingsNow().catch(() => null)
    }
    return undefined
  }

  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    await tryTo(ledger.note)
    busy = false
  }, every)

  return {
    async settled() {
      clearInterval(timer)
      let last: Executed[] = []
      await until(
        async () => {
          last = (await tryTo(ledger.executions)) ?? last
          return last.length > 0 && last.every(({ status }) => ended.has(status))
        },
        { timeout: quiet, every, signal },
      )
      signal.throwIfAborted()
      return last
    },
    stop: () => clearInterval(timer),
  }
}
