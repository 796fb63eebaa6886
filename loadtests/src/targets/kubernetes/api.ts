import { Agent, request, type IncomingMessage } from 'node:http'
import { mostOfList, textWithin } from '../../lib/reply.ts'
import { failure } from '../../lib/errors.ts'
import { selecting, type NamedObject } from './objects.ts'

/** The part of the API server that the lab uses. Paths begin with `/api`. */
export interface Api {
  get<Answer>(path: string): Promise<Answer>
  /** Undefined if the object does not exist. */
  find<Answer>(path: string): Promise<Answer | undefined>
  /** The objects of a kind, or those with these labels; none where their namespace is gone. */
  list<Kind extends NamedObject>(path: string, labels?: Record<string, string>): Promise<Kind[]>
  create<Answer = unknown>(path: string, object: object): Promise<Answer>
  patch(path: string, change: object): Promise<void>
  /** Deletes it at once, with everything that belongs to it; no error if it is already gone. */
  remove(path: string): Promise<void>
  /** The text of a page (also through a proxy), whatever its status; null when it does not answer in time. */
  ask(
    path: string,
    options: { method?: string; headers?: Record<string, string>; content?: Uint8Array | null; timeout: number },
  ): Promise<{ status: number; text: string } | null>
  /** Yields the text in parts, as it arrives. */
  follow(path: string, onText: (text: string) => void, signal: AbortSignal): Promise<void>
  /** The time of the API server, as of its last answer: two machines may disagree about theirs. */
  now(): number
  close(): void
}

interface Request {
  method?: string
  type?: string
  body?: object
  headers?: Record<string, string>
  /** Raw bytes, with the headers that describe them. */
  content?: Uint8Array | null
  timeout?: number
  signal?: AbortSignal
}

const patience = 30_000

/** Connects through the socket of kubectl proxy, which knows every way of logging in to a cluster. */
export function openClusterApi(socketPath: string): Api {
  const agent = new Agent({ keepAlive: true })
  /** Milliseconds that the API server's clock is ahead of this machine's. */
  let ahead = 0

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
      // Node sends no length for the body of a DELETE, and the server would read that body as the next request.
      const headers = {
        ...(body && { 'content-type': type }),
        ...given,
        host: 'localhost',
        ...(content && { 'content-length': content.length }),
      }
      const limit = AbortSignal.timeout(timeout)
      const sent = request({ socketPath, path, method, headers, agent, signal: signal ?? limit }, (response) => {
        ahead = Date.parse(response.headers.date ?? '') - Date.now() || 0
        resolve(response)
      })
      sent.on('error', reject)
      sent.end(content)
    })

  async function call(path: string, given: Request): Promise<{ status: number; text: string }> {
    const response = await send(path, given)
    return { status: response.statusCode!, text: await wholeOf(response, given.timeout) }
  }

  async function done<Answer>(path: string, given: Request): Promise<Answer> {
    return (await doneOr<Answer>(path, given, []))!
  }

  /** Undefined for one of the accepted statuses. */
  async function doneOr<Answer>(path: string, given: Request, accepted: number[]): Promise<Answer | undefined> {
    const answer = await call(path, given).catch((error: Error) => {
      throw refused(`${given.method ?? 'GET'} ${path}`, error.message)
    })
    if (accepted.includes(answer.status)) return undefined
    if (answer.status >= 300) throw refused(`${given.method ?? 'GET'} ${path}`, reasonIn(answer.text))
    return JSON.parse(answer.text)
  }

  return {
    get: (path) => done(path, {}),
    find: (path) => doneOr(path, {}, [404]),
    async list<Kind extends NamedObject>(path: string, labels?: Record<string, string>) {
      const selector = labels ? `?labelSelector=${encodeURIComponent(selecting(labels))}` : ''
      return (await doneOr<{ items: Kind[] }>(path + selector, {}, [404]))?.items ?? []
    },
    create: (path, body) => done(path, { method: 'POST', body }),
    patch: (path, body) => done(path, { method: 'PATCH', type: 'application/merge-patch+json', body }),
    async remove(path) {
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' }
      await doneOr(path, { method: 'DELETE', body }, [404, 409])
    },
    ask: (path, given) => call(path, given).catch(() => null),
    async follow(path, onText, signal) {
      const response = await send(path, { signal })
      if (response.statusCode! >= 300) throw refused(`GET ${path}`, reasonIn(await wholeOf(response)))
      response.setEncoding('utf8')
      for await (const part of response) onText(part)
    },
    now: () => Date.now() + ahead,
    close: () => agent.destroy(),
  }
}

const wholeOf = (response: IncomingMessage, within = patience) => textWithin(response, { most: mostOfList, within })

/** The API server's own sentence, if the answer is a status. */
function reasonIn(said: string): string {
  try {
    return JSON.parse(said).message
  } catch {
    return said.slice(0, 300)
  }
}

export const refused = (request: string, said: string) =>
  failure(
    'cluster-refused',
    `Expected the cluster to do as asked (${request}), got: ${said}`,
    'docs/targets.md lists what the lab may have to do there.',
  )
