import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { textOf } from '../../loadtests/src/lib/await.ts'
import type { RunningProcess } from '../../loadtests/src/n8n/running.ts'
import type { Tables } from './execution-tables.ts'
import { metricsText } from './small-n8n/metrics.mjs'

/** Answers as n8n's webhooks and metrics do, and writes into n8n's tables what the test makes of a call. */
export interface MadeN8n {
  url: string
  process: RunningProcess
  /** What its metrics say. */
  counts: { started: number; succeeded: number; failed: number }
  /** Webhooks that it has answered. */
  calls: number
  /** While this is true, its metrics answer nobody. */
  silent: boolean
  stop(): Promise<void>
}

/** Begins and ends the execution of a call, the first with number 1; or does not. */
export type Executes = (call: { number: number; headers: IncomingHttpHeaders; n8n: MadeN8n }) => Promise<void>

export async function startMadeN8n(executes: Executes): Promise<MadeN8n> {
  const startedAt = Math.round(performance.timeOrigin) / 1000
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      const number = ++n8n.calls
      void executes({ number, headers: request.headers, n8n }).then(() => response.end('{}'))
    } else if (!n8n.silent) response.end(metricsText({ startedAt, ...n8n.counts }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const n8n: MadeN8n = {
    url,
    process: {
      name: 'main-0',
      limits: { cpu: null, memory: null },
      serves: true,
      usage: async () => ({ cpuSeconds: null, rss: null, pids: 1 }),
      metrics: (timeout) => textOf(`${url}/metrics`, timeout),
    },
    counts: { started: 0, succeeded: 0, failed: 0 },
    calls: 0,
    silent: false,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return n8n
}

/** An execution that begins and ends as n8n says in its metrics and its tables. */
export async function executed(
  tables: Tables,
  n8n: MadeN8n,
  { workflow, headers, mode }: { workflow: string; headers?: IncomingHttpHeaders; mode?: string },
  end: 'success' | 'error' = 'success',
): Promise<number> {
  n8n.counts.started++
  const id = await tables.insert({ workflow, headers, mode, status: end })
  n8n.counts[end === 'success' ? 'succeeded' : 'failed']++
  return id
}
