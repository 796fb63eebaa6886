import { invalid } from '../lib/errors.ts'
import { reasonOf, until } from '../lib/await.ts'
import { failProcess, repeat } from '../lib/repeat.ts'
import {
  endOfDiscarded,
  openExecutions,
  type Called,
  type Carrying,
  type ExecutionDatabase,
} from '../n8n/executions.ts'
import type { Running } from '../n8n/running.ts'
import { outcomePatience, type Executed } from './oracle.ts'

/** Follows the executions of a load in n8n's database while stores and processes restart. */
interface Watch {
  /** All executions, once none is under way or a long time has passed. */
  settled(): Promise<Settled>
  stop(): Promise<void>
}

export interface Settled {
  executions: Executed[]
  /** Executions of that time that left no row before the lab saw them: whose they were is not known. */
  gone: number
}

/** The load: the workflows that it calls, and the common beginning of all its requests' ids. */
interface Load {
  called: Called[]
  trace: string
}

const patience = { quiet: 1000 * outcomePatience, every: 1000 }
/** How long the database may take to answer before the load: it has just been seen to be there. */
const beginning = 10_000
/** Several processes may write their rows out of the order of their numbers. */
const disorder = 1000

/** Begins with the newest execution of now. */
export async function watchExecutions(
  { called, trace }: Load,
  { settings }: Pick<Running, 'settings'>,
  signal: AbortSignal,
  { quiet, every } = patience,
): Promise<Watch> {
  if (!settings) throw unseen('its settings are not known')
  const database = openExecutions(settings)
  const mark = `${trace}-`
  const known = new Map<number, Carrying>()
  let silence = ''

  async function tryTo<T>(look: (database: ExecutionDatabase) => Promise<T>): Promise<T | undefined> {
    try {
      return await look(database)
    } catch (error) {
      // The database may not be back yet.
      silence = reasonOf(error)
      return undefined
    }
  }

  const asked = { timeout: Math.min(quiet, beginning), every, signal }
  const first = await until(() => tryTo(async (of) => ({ newest: await of.newest() })), asked)
  signal.throwIfAborted()
  if (!first) throw unseen(silence)
  const after = first.newest
  let last = after

  /** If a worker dies, n8n replaces the data of its executions, and their ids are gone. So they are noted before. */
  async function note(asked: ExecutionDatabase): Promise<void> {
    for (const each of await asked.carrying({ called, mark, after: Math.max(after, last - disorder) })) {
      last = Math.max(last, each.execution)
      known.set(each.execution, each)
    }
  }

  async function states(asked: ExecutionDatabase): Promise<Settled> {
    await note(asked)
    const { rows, gone } = await asked.states({ called, after })
    const left = new Set(rows.map(({ execution }) => execution))
    const kept = new Map(called.map((each) => [each.id, each.kept]))
    const deleted = [...known.values()].filter(({ execution }) => !left.has(execution))
    const all = [
      ...rows,
      ...deleted.map(({ execution, workflow }) => ({ execution, outcome: endOfDiscarded(kept.get(workflow)!) })),
    ]
    return {
      executions: all.map(({ execution, outcome }) => {
        const { request = null, retry = false } = known.get(execution) ?? {}
        return { request, execution: String(execution), outcome, retry }
      }),
      gone: Math.max(0, gone - deleted.length),
    }
  }

  const stop = repeat(async () => void (await tryTo(note)), every, failProcess)

  return {
    async settled() {
      stop()
      let last: Settled | undefined
      await until(
        async () => {
          const ended = await tryTo(async (asked) => (await asked.open(after)).count === 0)
          // The rows themselves are read once.
          if (ended) last = await tryTo(states)
          return last !== undefined
        },
        { timeout: quiet, every, signal },
      )
      signal.throwIfAborted()
      last ??= await tryTo(states)
      // Without an answer of the database, no request can be called lost; neither if it has none of them at all.
      if (!last) throw unseen(silence)
      if (last.executions.length + last.gone === 0) throw unseen('none of their executions is in it')
      return last
    },
    async stop() {
      stop()
      await database.close()
    },
  }
}

const unseen = (reason: string) =>
  invalid(
    'executions-unseen',
    `Expected n8n’s database to say what became of the requests after the fault, got no answer: ${reason}.`,
    'Look whether the database is back: its log is in the run’s folder.',
  )
