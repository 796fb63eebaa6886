import { request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Answered {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

export interface Asking {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** What it believes of TLS. */
  ca?: string
}

/**
 * Asks as n8n does where a proxy is named: each call by a connection of its own, through a tunnel where it is https.
 */
export async function ask(
  proxy: number,
  url: string,
  { method = 'GET', headers = {}, body, ca }: Asking = {},
): Promise<Answered> {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  if (protocol === 'http:')
    return answered(http({ host: '127.0.0.1', port: proxy, path: url, method, headers, agent: false }).end(body))
  const target = `${hostname}:${port || 443}`
  const connecting = http({ host: '127.0.0.1', port: proxy, method: 'CONNECT', path: target, agent: false }).end()
  const [, socket] = (await once(connecting, 'connect')) as [IncomingMessage, Socket]
  return answered(
    https({
      socket,
      servername: hostname,
      host: hostname,
      path: pathname + search,
      method,
      headers,
      ca,
      agent: false,
    } as object).end(body),
  )
}

async function answered(request: ReturnType<typeof http>): Promise<Answered> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, body: await text(response) }
}
