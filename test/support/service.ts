import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to a request: a status after some milliseconds, no answer at all, or a connection that breaks. */
export type Answer = { status?: number; after?: number; body?: string } | 'hang' | 'reset'

export interface Service {
  url: string
  /** `GET /path` of every request until now. */
  requests: string[]
  /** How many connections were opened until now. */
  connections(): number
  close(): Promise<void>
}

/** A small HTTP service of known behaviour. `one at a time` makes its capacity 1000 ÷ `after` a second. */
export async function startService(
  answer: (request: number) => Answer,
  order: 'all at once' | 'one at a time' = 'all at once',
): Promise<Service> {
  const requests: string[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    const number = requests.push(`${request.method} ${request.url}`)
    const given = answer(number)
    if (order === 'all at once') void respond(given, request, response)
    else turn = turn.then(() => respond(given, request, response))
  })
  let connections = 0
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    connections: () => connections,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function respond(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (answer === 'hang') return
  if (answer === 'reset') return void request.socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, answer.after ?? 0))
  response.writeHead(answer.status ?? 200).end(answer.body ?? '{}')
}
