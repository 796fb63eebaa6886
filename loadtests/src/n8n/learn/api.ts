import { z } from 'zod'
import { LabError, usage } from '../../lib/errors.ts'
import { parseJson } from '../../lib/json.ts'
import { openHistory, type ListedExecution, type ExecutionHistory } from './history.ts'
import type { Listed } from './learned.ts'

/** What a server lists, checked before anything is made of it: it may be another than n8n. */
const id = z.union([z.string(), z.number()]).transform(String)
const map = z.record(z.string(), z.unknown())

const node = z.looseObject({
  type: z.string(),
  disabled: z.boolean().optional(),
  credentials: map.optional(),
  parameters: z.looseObject({ authentication: z.string().optional().catch(undefined) }).optional(),
})

const lists = {
  workflows: z.looseObject({
    id,
    name: z.string(),
    nodes: z.array(node),
    connections: map.default({}),
    settings: map.nullish(),
    isArchived: z.boolean().optional(),
  }),
  executions: z.object({
    id,
    workflowId: id,
    mode: z.string(),
    startedAt: z.string().nullish().default(null),
    stoppedAt: z.string().nullish().default(null),
    status: z.string().optional(),
    finished: z.boolean().optional(),
  }),
}

interface Items {
  workflows: Listed
  executions: ListedExecution
}

/** The part of n8n's public API that learning needs. It only reads. */
interface Api {
  /** Yields the pages of a list, the newest entries first where the list has an order. */
  pages<List extends keyof Items>(list: List, params?: Record<string, string>): AsyncGenerator<Items[List][]>
}

interface Page<Item> {
  data: Item[]
  nextCursor?: string | null
}

/** The largest page that n8n gives. */
const perPage = '250'
const patience = 60_000

export function openPublicApi(url: URL, key: string): Api {
  async function get<List extends keyof Items>(list: List, params: Record<string, string>): Promise<Page<Items[List]>> {
    const address = new URL(`${url.pathname.replace(/\/+$/, '')}/api/v1/${list}?${new URLSearchParams(params)}`, url)
    const response = await fetch(address, {
      headers: { 'X-N8N-API-KEY': key, accept: 'application/json' },
      signal: AbortSignal.timeout(patience),
      // A redirect could send the key to another server, so none is followed.
      redirect: 'error',
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      throw usage(
        'unreachable',
        `Expected ${url.href} to answer, got ${error.cause?.code ?? error.cause?.message ?? error.message}.`,
        'Check the URL, and that this machine may reach it.',
      )
    })
    if (response.status === 401)
      throw usage(
        'bad-api-key',
        `Expected ${url.href} to take the key, got 401.`,
        'Check that the key is complete, has not expired and belongs to this n8n.',
      )
    if (response.status === 403)
      throw usage(
        'no-rights',
        `Expected the key to be allowed to list ${list} of ${url.href}, got 403.`,
        'Give it the scopes workflow:list, workflow:read, execution:list and execution:read, or make another.',
      )
    if (!response.ok) throw noApi(url.href, response.status)
    const given = await response
      .text()
      .then(parseJson)
      .catch((error: Error) => error)
    if (given instanceof Error) throw noApi(url.href, 'no JSON')
    const { data, error } = z.object({ data: z.array(lists[list]), nextCursor: z.string().nullish() }).safeParse(given)
    if (error) throw noApi(url.href, `${list} of another form, at ${error.issues[0]!.path.join('.')}`)
    return data as Page<Items[List]>
  }

  return {
    async *pages<List extends keyof Items>(list: List, params: Record<string, string> = {}) {
      let cursor: string | null | undefined = null
      const seen = new Set<string>()
      do {
        const page: Page<Items[List]> = await get(list, { limit: perPage, ...params, ...(cursor && { cursor }) })
        yield page.data
        cursor = page.nextCursor
        if (cursor && seen.has(cursor)) throw noApi(url.href, 'the same page without end')
        if (cursor) seen.add(cursor)
      } while (cursor)
    },
  }
}

const noApi = (url: string, got: string | number) =>
  usage(
    'no-api',
    `Expected n8n’s public API below ${url}, got ${got}.`,
    'Give the URL under which n8n’s editor opens; N8N_PUBLIC_API_DISABLED must not be set there.',
  )

const day = 86_400_000

interface Bounds {
  days: number
  /** The most executions to read. */
  most: number
  now: number
}

interface Read {
  history: ExecutionHistory
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
    for await (const page of api.pages('executions', { includeData: 'false' })) {
      const young = page.filter(({ startedAt }) => startedAt === null || isWithin(Date.parse(startedAt), since, now))
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

/** Clocks of two machines differ, by less than a day. */
const isWithin = (at: number, since: number, now: number) => at >= since && at <= now + day

export async function listWorkflows(api: Api): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const page of api.pages('workflows')) all.push(...page.filter(({ isArchived }) => !isArchived))
  return all
}
