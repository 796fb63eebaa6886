import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A service that a workflow asks to do something, and that counts for whom it did. */
export interface CountedWork {
  /** A workflow that answers its webhook, `count?request=…`, at once, and then asks the service. */
  workflow: string
  /** How often it was asked for each request. */
  times: Map<string, number>
  /** Executions wait for its answers until `goOn`. */
  hold(): void
  goOn(): void
  stop(): Promise<void>
}

/** Each of its answers is of this many bytes, which n8n saves when the execution ends. */
export async function startCountedWork(folder: string, bytes = 10): Promise<CountedWork> {
  const times = new Map<string, number>()
  const waiting = new Set<ServerResponse>()
  let held = false
  const answer = (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ done: noise(bytes) }))
  }
  const server = createServer(({ url }, response) => {
    const request = new URL(url!, 'http://localhost').searchParams.get('request')!
    times.set(request, (times.get(request) ?? 0) + 1)
    if (held) waiting.add(response)
    else answer(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const workflow = join(folder, 'count.json')
  await writeFile(workflow, JSON.stringify(workflowThatAsks((server.address() as AddressInfo).port)))
  return {
    workflow,
    times,
    hold: () => void (held = true),
    goOn() {
      held = false
      waiting.forEach(answer)
      waiting.clear()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Text that PostgreSQL cannot compress. */
export const noise = (length: number) =>
  Array.from({ length: Math.ceil(length / 10) }, () => Math.random().toString(36).slice(2, 12)).join('')

const workflowThatAsks = (port: number) => ({
  id: 'count',
  name: 'count',
  active: false,
  nodes: [
    {
      id: 'webhook',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 1,
      position: [0, 0],
      parameters: { httpMethod: 'GET', path: 'count', responseMode: 'onReceived', options: {} },
      webhookId: 'count',
    },
    {
      id: 'ask',
      name: 'Ask',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 1,
      position: [200, 0],
      parameters: { url: `=http://127.0.0.1:${port}/?request={{ $json.query.request }}`, options: {} },
    },
  ],
  connections: { Webhook: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
})
