import { until } from '../../lib/await.ts'
import { readMetrics } from '../../n8n/metrics.ts'
import { ask, unreachable } from './ask.ts'

/** Reads /metrics of one process of n8n. */
export interface MetricsReader {
  url: URL
  /** Null when it does not answer in time, or answers with an error. */
  read(timeout: number): Promise<string | null>
}

const patience = 10_000
const drainPatience = 30_000

export function metricsAt(url: URL, token: string | undefined): MetricsReader {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  return {
    url,
    async read(timeout) {
      const answer = await ask(url, { headers, timeout }).catch(() => null)
      return answer?.status === 200 ? answer.text : null
    },
  }
}

/** If n8n's metrics are missing, the error says what is there instead. */
export async function refuseOtherThanMetrics(url: URL, token: string | undefined): Promise<void> {
  const { status, location, text } = await ask(url, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    timeout: patience,
  })
  const got = `${status}${location ? ` to ${location}` : ''}`
  if (status === 401 || status === 403)
    throw unreachable(
      url.href,
      got,
      `Its credentials are ${token ? 'others than the ones in' : 'missing: put the bearer token into'} `
        + 'N8N_TUNED_METRICS_TOKEN.',
    )
  if (status >= 300 && status < 400) throw unreachable(url.href, got, 'Give the address it leads to as --metrics-url.')
  if (status !== 200) throw unreachable(url.href, got, 'Set N8N_METRICS=true on that n8n, or leave --metrics-url out.')
  // For an unknown path, n8n answers with its editor and status 200.
  if (readMetrics(text).startedAt === null)
    throw unreachable(
      url.href,
      'a page that is no metrics of n8n',
      'Set N8N_METRICS=true on that n8n, or leave --metrics-url out.',
    )
}

/**
 * Makes an execution with `call`, checks that n8n counts it, and waits for its end, so that later counts belong to the
 * run alone.
 */
export async function seeItCounted(all: MetricsReader[], call: () => Promise<unknown>): Promise<void> {
  if (all.length === 0) return void (await call())
  const before = await countIn(all)
  await call()
  const counted = await until(async () => (await countIn(all)).started > before.started, {
    timeout: patience,
    every: 100,
  })
  if (!counted)
    throw unreachable(
      all.map(({ url }) => url.href).join(', '),
      'metrics that do not count executions',
      'Set N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS=true on that n8n, name every process of it with a '
        + '--metrics-url of its own, or leave --metrics-url out.',
    )
  await until(async () => (await countIn(all)).underWay <= before.underWay, { timeout: drainPatience, every: 100 })
}

async function countIn(all: MetricsReader[]): Promise<{ started: number; underWay: number }> {
  const texts = await Promise.all(all.map(({ read }) => read(patience)))
  const counted = texts.flatMap((text) => readMetrics(text ?? '').executions ?? [])
  const total = (key: 'started' | 'succeeded' | 'failed') => counted.reduce((sum, each) => sum + each[key], 0)
  return { started: total('started'), underWay: total('started') - total('succeeded') - total('failed') }
}
