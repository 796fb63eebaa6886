import { z } from 'zod'
import { readReply, faultOf, isTooLong } from '../../lib/reply.ts'
import { LabError, usage } from '../../lib/errors.ts'
import { jsonIn } from '../../lib/json.ts'
import { openHistory, type ListedExecution, type ExecutionHistory } from './history.ts'
import type { Listed } from './learned.ts'

/** What a server lists, checked before anything is made of it: it may be another than n8n. */
const id = z.union([z.string(), z.number()]).transform(String)
const map = z.record(z.string(), z.unknown())

/** The first that is wrong ends it: a message for each of millions would fill the memory. */
function listOf<Item>(item: z.ZodType<Item>, most: number): z.ZodType<Item[]> {
  return z.array(z.unknown()).transform((all, { issues }) => {
    const wrong = (message: string, path: PropertyKey[] = []) => {
      issues.push({ code: 'custom', message, path, input: undefined })
      return z.NEVER
    }
    if (all.length > most) return wrong(`more than ${most}`)
    const items: Item[] = []
    for (const [index, one] of all.entries()) {
      const { data, error } = item.safeParse(one)
      if (error) return wrong(error.issues[0]!.message, [index, ...error.issues[0]!.path])
      items.push(data)
    }
    return items
  })
}

const node = z.looseObject({
  type: z.string(),
  disabled: z.boolean().optional(),
  credentials: map.optional(),
  parameters: z.looseObject({ authentication: z.string().optional().catch(undefined) }).optional(),
})

const lists = {
  workflows: z.object({
    id,
    name: z.string(),
    nodes: listOf(node, 10_000),
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

/** Entries asked for in one page. n8n gives up to 250, and a workflow may be large. */
const perPage = { workflows: 25, executions: 250 }
/** Milliseconds for one page. */
const patience = 10_000
/** Pages of a list that bring nothing that was not there before, one after the other. */
const idle = 10
/** Workflows are kept until they are written. */
const mostWorkflows = { count: 10_000, bytes: 48 * 2 ** 20 }

export function openPublicApi(url: URL, key: string): Api {
  async function get<List extends keyof Items>(
    list: List,
    params: Record<string, string>,
  ): Promise<Page<Items[List]> & { bytes: number }> {
    const address = new URL(`${url.pathname.replace(/\/+$/, '')}/api/v1/${list}?${new URLSearchParams(params)}`, url)
    const { status, text } = await readReply(address, {
      headers: { 'X-N8N-API-KEY': key, accept: 'application/json' },
      within: patience,
      // A redirect could send the key to another server, so none is followed.
      redirect: 'error',
    }).catch((error: Error) => {
      if (isTooLong(error)) throw tooMuch(url.href, `a page of ${list} with ${error.message}`)
      throw usage(
        'unreachable',
        `Expected ${url.href} to answer, got ${faultOf(error, patience)}.`,
        'Check the URL, and that this machine may reach it.',
      )
    })
    if (status === 401)
      throw usage(
        'bad-api-key',
        `Expected ${url.href} to take the key, got 401.`,
        'Check that the key is complete, has not expired and belongs to this n8n.',
      )
    if (status === 403)
      throw usage(
        'no-rights',
        `Expected the key to be allowed to list ${list} of ${url.href}, got 403.`,
        'Give it the scopes workflow:list, workflow:read, execution:list and execution:read, or make another.',
      )
    if (status < 200 || status > 299) throw noApi(url.href, status)
    const given = jsonIn(text)
    if (given === undefined) throw noApi(url.href, 'no JSON')
    const page = z.object({ data: listOf<unknown>(lists[list], perPage.executions), nextCursor: z.string().nullish() })
    const { data, error } = page.safeParse(given)
    if (error) throw noApi(url.href, `${list} of another form, at ${error.issues[0]!.path.join('.')}`)
    return { ...(data as Page<Items[List]>), bytes: text.length }
  }

  return {
    async *pages<List extends keyof Items>(list: List, params: Record<string, string> = {}) {
      let cursor: string | null | undefined = null
      const seen = new Set<string>()
      const limit = String(perPage[list])
      let nothingNew = 0
      let bytes = 0
      do {
        const page: Awaited<ReturnType<typeof get<List>>> = await get(list, {
          limit,
          ...params,
          ...(cursor && { cursor }),
        })
        bytes += page.bytes
        const before = seen.size
        for (const { id } of page.data) seen.add(String(id))
        nothingNew = seen.size > before ? 0 : nothingNew + 1
        if (list === 'workflows' && (bytes > mostWorkflows.bytes || seen.size > mostWorkflows.count))
          throw tooMuch(url.href, `more than ${mostWorkflows.count} workflows, or 48 MiB of them`)
        yield page.data
        cursor = page.nextCursor
        if (cursor && nothingNew === idle) throw noApi(url.href, 'pages without end that bring nothing new')
      } while (cursor)
    },
  }
}

const tooMuch = (url: string, got: string) =>
  usage(
    'answer-too-long',
    `Expected ${url} to list what an n8n has, got ${got}.`,
    'Check that the URL is n8n’s. ./n8n-tuned init makes a profile of workflows that n8n has exported to files.',
  )

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
