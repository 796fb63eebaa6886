import { learnErrors } from './errors.ts'

/** n8n's public API, as far as learning needs it: it is read and never written. */
export interface Api {
  /** Pages of a list, the newest first where it has an order. */
  pages<Item>(list: 'workflows' | 'executions', params?: Record<string, string>): AsyncGenerator<Item[]>
}

interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}

/** The most that n8n gives at once. */
const perPage = '250'
const patience = 60_000

export function openApi(url: URL, key: string): Api {
  async function get<Item>(list: string, params: Record<string, string>): Promise<Page<Item>> {
    const address = new URL(`${url.pathname.replace(/\/+$/, '')}/api/v1/${list}?${new URLSearchParams(params)}`, url)
    const response = await fetch(address, {
      headers: { 'X-N8N-API-KEY': key, accept: 'application/json' },
      signal: AbortSignal.timeout(patience),
      // Who is sent elsewhere would take the key along.
      redirect: 'error',
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      throw learnErrors.unreachable(url.href, error.cause?.code ?? error.cause?.message ?? error.message)
    })
    if (response.status === 401) throw learnErrors.badKey(url.href)
    if (response.status === 403) throw learnErrors.noRights(url.href, list)
    if (!response.ok) throw learnErrors.noApi(url.href, response.status)
    return (await response.json().catch(() => {
      throw learnErrors.noApi(url.href, 'no JSON')
    })) as Page<Item>
  }

  return {
    async *pages<Item>(list: string, params: Record<string, string> = {}) {
      let cursor: string | null = null
      do {
        const page: Page<Item> = await get(list, { limit: perPage, ...params, ...(cursor && { cursor }) })
        yield page.data
        cursor = page.nextCursor
      } while (cursor)
    },
  }
}
