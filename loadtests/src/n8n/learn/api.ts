import { learnErrors } from './errors.ts'

/** The part of n8n's public API that learning needs. It only reads. */
export interface Api {
  /** Yields the pages of a list, the newest entries first where the list has an order. */
  pages<Item>(list: 'workflows' | 'executions', params?: Record<string, string>): AsyncGenerator<Item[]>
}

interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}

/** The largest page that n8n gives. */
const perPage = '250'
const patience = 60_000

export function openApi(url: URL, key: string): Api {
  async function get<Item>(list: string, params: Record<string, string>): Promise<Page<Item>> {
    const address = new URL(`${url.pathname.replace(/\/+$/, '')}/api/v1/${list}?${new URLSearchParams(params)}`, url)
    const response = await fetch(address, {
      headers: { 'X-N8N-API-KEY': key, accept: 'application/json' },
      signal: AbortSignal.timeout(patience),
      // A redirect could send the key to another server, so none is followed.
      redirect: 'error',
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      throw learnErrors.n8nUnreachable(url.href, error.cause?.code ?? error.cause?.message ?? error.message)
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
