import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { clusterErrors } from './errors.ts'

/** The API server, as far as the lab talks to it. Paths begin with `/api`. */
export interface Api {
  get(path: string): Promise<any>
  /** Undefined where there is no such object. */
  find(path: string): Promise<any>
  create(path: string, object: object): Promise<any>
  patch(path: string, change: object): Promise<void>
  /** At once, with everything that belongs to it; no error where it is gone already. */
  remove(path: string): Promise<void>
  /** What a page says, a proxied one too, whatever its status; null when it does not answer in time. */
  ask(
    path: string,
    options: { method?: string; headers?: Record<string, string>; content?: Uint8Array | null; timeout: number },
  ): Promise<{ status: number; text: string } | null>
  /** Its text, part by part until it ends. */
  follow(path: string, onText: (text: string) => void, signal: AbortSignal): Promise<void>
  close(): void
}

interface Request {
  method?: string
  type?: string
  body?: object
  headers?: Record<string, string>
  /** What is sent as it is, with headers that say what it is. */
  content?: Uint8Array | null
  timeout?: number
  signal?: AbortSignal
}

const patience = 30_000

/** Through a socket on which kubectl proxy listens: it knows every way of logging in to a cluster. */
export function openApi(socketPath: string): Api {
  const agent = new Agent({ keepAlive: true })

  const send = (
    path: string,
    {
      method = 'GET',
      type = 'application/json',
      body,
      headers: given,
      content: own,
      timeout = patience,
      signal,
    }: Request,
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const content = body ? Buffer.from(JSON.stringify(body)) : own
      // Node leaves the length of a DELETE's body out, which is then taken for the next request.
      const headers = {
        ...(body && { 'content-type': type }),
        ...given,
        host: 'localhost',
        ...(content && { 'content-length': content.length }),
      }
      const limit = AbortSignal.timeout(timeout)
      const sent = request({ socketPath, path, method, headers, agent, signal: signal ?? limit }, resolve)
      sent.on('error', reject)
      sent.end(content)
    })

  async function call(path: string, given: Request): Promise<{ status: number; text: string }> {
    const response = await send(path, given)
    return { status: response.statusCode!, text: await text(response) }
  }

  async function done(path: string, given: Request, accepted: number[] = []): Promise<any> {
    const answer = await call(path, given).catch((error: Error) => {
      throw clusterErrors.clusterRefused(`${given.method ?? 'GET'} ${path}`, error.message)
    })
    if (accepted.includes(answer.status)) return undefined
    if (answer.status >= 300)
      throw clusterErrors.clusterRefused(`${given.method ?? 'GET'} ${path}`, reasonIn(answer.text))
    return JSON.parse(answer.text)
  }

  return {
    get: (path) => done(path, {}),
    find: (path) => done(path, {}, [404]),
    create: (path, body) => done(path, { method: 'POST', body }),
    patch: (path, body) => done(path, { method: 'PATCH', type: 'application/merge-patch+json', body }),
    remove: (path) =>
      done(
        path,
        {
          method: 'DELETE',
          body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' },
        },
        [404, 409],
      ),
    ask: (path, given) => call(path, given).catch(() => null),
    async follow(path, onText, signal) {
      const response = await send(path, { signal })
      if (response.statusCode! >= 300) throw clusterErrors.clusterRefused(`GET ${path}`, reasonIn(await text(response)))
      response.setEncoding('utf8')
      for await (const part of response) onText(part)
    },
    close: () => agent.destroy(),
  }
}

/** The API server's own sentence, where the answer is one of its statuses. */
function reasonIn(said: string): string {
  try {
    return JSON.parse(said).message
  } catch {
    return said.slice(0, 300)
  }
}
