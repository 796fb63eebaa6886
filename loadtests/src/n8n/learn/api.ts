import { usage } from '../../lib/errors.ts'

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
    return (await response.json().catch(() => {
      throw noApi(url.href, 'no JSON')
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

const noApi = (url: string, got: string | number) =>
  usage(
    'no-api',
    `Expected n8n’s public API below ${url}, got ${got}.`,
    'Give the URL under which n8n’s editor opens; N8N_PUBLIC_API_DISABLED must not be set there.',
  )
