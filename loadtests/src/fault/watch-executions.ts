import { reasonOf, until } from '../lib/await.ts'
import { failProcess } from '../lib/fail.ts'
import { repeat } from '../lib/repeat.ts'
import type { Running } from '../targets/target.ts'
import { outcomeErrors } from './errors.ts'
import { openLedger } from '../n8n/fate.ts'
import { hasEnded, type Executed } from './oracle.ts'
import { outcomePatience } from './verdict.ts'

/** Follows the executions of a load in n8n's database while stores and processes restart. */
export interface Watch {
  /** All executions, once none is under way or a long time has passed. */
  settled(): Promise<Executed[]>
  stop(): void
}

const patience = { quiet: 1000 * outcomePatience, every: 1000 }

export function watchExecutions(
  trace: string,
  { settings }: Pick<Running, 'settings'>,
  signal: AbortSignal,
  { quiet, every } = patience,
): Watch {
  const ledger = openLedger(trace)
  let silence = 'its settings are not known'

  async function tryTo<T>(look: (settings: Record<string, string>) => Promise<T>): Promise<T | undefined> {
    try {
      return settings ? await look(settings) : undefined
    } catch (error) {
      // The database may not be back yet.
      silence = reasonOf(error)
      return undefined
    }
  }

  const stop = repeat(async () => void (await tryTo(ledger.note)), every, failProcess)

  return {
    async settled() {
      stop()
      let last: Executed[] | undefined
      await until(
        async () => {
          last = (await tryTo(ledger.executions)) ?? last
          return last !== undefined && last.length > 0 && last.every(({ status }) => hasEnded(status))
        },
        { timeout: quiet, every, signal },
      )
      signal.throwIfAborted()
      // Without an answer of the database, no request can be called lost; neither if it has none of them at all.
      if (!last) throw outcomeErrors.executionsUnseen(silence)
      if (last.length === 0) throw outcomeErrors.executionsUnseen('none of their executions is in it')
      return last
    },
    stop,
  }
}
