import { invalid } from '../lib/errors.ts'
import { reasonOf } from '../lib/await.ts'
import { duration } from '../lib/figures.ts'

/** Notes how long a store of n8n's did not answer: what it would have told of that time is not known. */
export interface Outages {
  /** Throws where it does not answer. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>
  /** Tells of the outage that lasts until now. */
  close(): void
}

/** `who`: `n8n’s database`. */
export interface Outage {
  who: string
  milliseconds: number
  reason: string
}

export function openOutages(who: string, tell: (outage: Outage) => void): Outages {
  let silent: { since: number; reason: string } | null = null
  const answered = () => {
    if (silent) tell({ who, milliseconds: Date.now() - silent.since, reason: silent.reason })
    silent = null
  }
  return {
    async ask(question) {
      const asked = Date.now()
      try {
        const answer = await question()
        answered()
        return answer
      } catch (error) {
        const reason = reasonOf(error)
        silent ??= { since: asked, reason }
        throw invalid(
          'store-silent',
          `Expected ${who} to say what it holds, got no answer for ${duration(Date.now() - silent.since)}: ${reason}.`,
          'Look whether it runs: its log is in the run’s folder.',
        )
      }
    },
    close: answered,
  }
}

type Question = (...given: unknown[]) => Promise<unknown>

/** The same store, asked through `outages`. */
export function noting<Store extends { close(): Promise<void> }>(store: Store, outages: Outages): Store {
  const questions = (Object.entries(store) as [string, Question][]).filter(([name]) => name !== 'close')
  const noted = questions.map(([name, ask]) => [name, (...given: unknown[]) => outages.ask(() => ask(...given))])
  return { ...store, ...Object.fromEntries(noted) }
}
