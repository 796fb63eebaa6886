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

/** Yields the newest first, until they are too old or too many. */
export async function readHistory(
  api: Api,
  { days, most, now }: Bounds,
  onRead: (count: number) => void,
): Promise<{ history: History; cut: number | null }> {
  const history = openHistory()
  const since = now - days * day
  let count = 0
  for await (const page of api.pages<Execution>('executions', { includeData: 'false' })) {
    const young = page.filter(({ startedAt }) => startedAt === null || Date.parse(startedAt) >= since)
    for (const execution of young.slice(0, most - count)) history.add(execution)
    count += young.length
    onRead(Math.min(count, most))
    if (count >= most) return { history: history.read(), cut: most }
    // Ids follow the time of acceptance, so after a page of old executions there are only older ones.
    if (page.length > 0 && young.length === 0) break
  }
  return { history: history.read(), cut: null }
}

export async function readWorkflows(api: Api): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const page of api.pages<Listed>('workflows')) all.push(...page.filter(({ isArchived }) => !isArchived))
  return all
}
