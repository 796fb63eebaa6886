import { LabError } from '../../lib/errors.ts'
import type { Api } from './api.ts'
import { openHistory, type Execution, type History } from './history.ts'
import type { Listed } from './learned.ts'

const day = 86_400_000

export interface Bounds {
  days: number
  /** The most executions to read. */
  most: number
  now: number
}

export interface Read {
  history: History
  /** The number of executions read, if there were more than were allowed. */
  cut: number | null
  /** What ended the reading before its time. */
  failure: string | null
}

/** Yields the newest first, until they are too old or too many. A page that fails ends it; what was read is kept. */
export async function readHistory(
  api: Api,
  { days, most, now }: Bounds,
  onRead: (count: number) => void,
): Promise<Read> {
  const history = openHistory()
  const since = now - days * day
  let count = 0
  let failure: string | null = null
  try {
    for await (const page of api.pages<Execution>('executions', { includeData: 'false' })) {
      const young = page.filter(({ startedAt }) => startedAt === null || Date.parse(startedAt) >= since)
      for (const execution of young.slice(0, most - count)) history.add(execution)
      count += young.length
      onRead(Math.min(count, most))
      if (count >= most) return { history: history.read(), cut: most, failure }
      // Ids follow the time of acceptance, so after a page of old executions there are only older ones.
      if (page.length > 0 && young.length === 0) break
    }
  } catch (error) {
    if (count === 0 || !(error instanceof LabError)) throw error
    failure = error.message
  }
  return { history: history.read(), cut: null, failure }
}

export async function readWorkflows(api: Api): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const page of api.pages<Listed>('workflows')) all.push(...page.filter(({ isArchived }) => !isArchived))
  return all
}
