import { until } from '../../loadtests/src/lib/await.ts'
import { OWNER } from '../support/owner-account.ts'
import type { Answer, Asked, Client, Execution, Seen } from './client.ts'
import { eventsOf } from './observe/events.ts'
import type { Side } from './side.ts'

export interface Session {
  client: Client
  /** Everything seen from now on goes into this list. */
  recordInto(seen: Seen[]): void
}

/** Makes the owner's account and signs in; every answer from then on is kept. */
export async function signIn(side: Side): Promise<Session> {
  let seen: Seen[] = []
  const headers: Record<string, Record<string, string>> = { rest: { 'browser-id': 'conformance' }, api: {} }

  async function send(
    base: string,
    path: string,
    { method = 'GET', status, retry, main: _, ...init }: Asked,
  ): Promise<Answer> {
    const once = () => fetch(base + path, { method, redirect: 'manual', ...init, signal: AbortSignal.timeout(60_000) })
    let response = await once()
    await until(async () => response.status !== retry || !(response = await once()), { timeout: 30_000, every: 200 })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isText = /text|json|xml|event-stream|^$/.test(response.headers.get('content-type') ?? '')
    const body = isText ? bytes.toString() : `base64:${bytes.toString('base64')}`
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), body, json: jsonOf(body) }
    seen.push({ what: `${method} ${path}`, ...answer, json: undefined })
    const isWanted = status === undefined ? response.ok : [status].flat().includes(response.status)
    if (!isWanted)
      throw new Error(
        `Expected ${status ?? 'a status below 300'} of ${method} ${path}, got ${response.status}: `
          + `${body.slice(0, 500)}`,
      )
    return answer
  }

  const asJson = (body?: object) => (body ? { body: JSON.stringify(body) } : {})
  const client: Client = {
    ask: (path, asked = {}) => send(asked.main ? side.main : side.webhooks, path, asked),
    rest: (method, path, body, asked = {}) =>
      send(side.main, `/rest${path}`, {
        method,
        ...asJson(body),
        ...asked,
        headers: { 'content-type': 'application/json', ...headers.rest, ...asked.headers },
      }),
    api: (method, path, body, asked = {}) =>
      send(side.main, `/api/v1${path}`, {
        method,
        ...asJson(body),
        ...asked,
        headers: { 'content-type': 'application/json', ...headers.api, ...asked.headers },
      }),
    async cli(...args) {
      const printed = await side.cli(...args)
      seen.push({ what: args.join(' '), printed })
      return printed
    },
    ended: (workflowId, count = 1) => endedExecutions(side, [workflowId], count),
    running: (workflowId) => runningExecution(side, workflowId),
    crash: () => side.crash(),
    restart: (env) => side.restart(env),
    async hasStarted(nodeId) {
      const events = (await Promise.all(side.roles.map(({ home }) => eventsOf(home)))).flat()
      return events.some(({ eventName, payload }) => eventName === 'n8n.node.started' && payload?.nodeId === nodeId)
    },
    rows: (table) => side.database.rows(table),
    async until(what, isSo) {
      if (!(await until(isSo, { timeout: 60_000, every: 100 })))
        throw new Error(`Expected that ${what} within 60 s, got no such thing`)
    },
    note: (what, value) => void seen.push({ what, value }),
    outside: side.outside.url,
    version: side.version,
    home: side.roles[0]!.home,
  }
  await client.rest('POST', '/owner/setup', OWNER)
  const { email, password } = OWNER
  const login = await until(
    () => client.rest('POST', '/login', { emailOrLdapLoginId: email, password }).catch(() => undefined),
    { timeout: 30_000, every: 100 },
  )
  headers.rest!.cookie = login!.headers['set-cookie']!.split(';')[0]!
  headers.api!['x-n8n-api-key'] = await apiKey(client)
  return { client, recordInto: (list) => void (seen = list) }
}

async function apiKey(client: Client): Promise<string> {
  const { json: scopes } = await client.rest('GET', '/api-keys/scopes')
  const { json: key } = await client.rest('POST', '/api-keys', {
    label: 'conformance',
    // n8n lists them in the random order of its database.
    scopes: scopes.data.sort(),
    expiresAt: null,
  })
  return key.data.rawApiKey
}

/** Executions of these workflows, in the order they began in. */
export async function executionsOf({ database }: Side, workflowIds: string[]): Promise<Execution[]> {
  const rows = (await database.rows('execution_entity')) as unknown as Execution[]
  return rows.filter(({ workflowId }) => workflowIds.includes(workflowId)).sort((a, b) => Number(a.id) - Number(b.id))
}

/** Executions of these workflows, once there are this many and none of them still runs. */
async function endedExecutions(side: Side, workflowIds: string[], count: number): Promise<Execution[]> {
  let found: Execution[] = []
  const areDone = async () => {
    found = await executionsOf(side, workflowIds)
    return found.length >= count && found.every(({ status }) => !['new', 'running'].includes(status))
  }
  // The queue finds the job of a killed worker after its lock has ended, which takes a minute.
  if (await until(areDone, { timeout: 120_000, every: 25 })) return found
  const got = found.map(({ workflowId, status }) => `${workflowId} ${status}`).join(', ') || 'none'
  const expected = `Expected ${count} executions of ${workflowIds.join(', ')} to end within 120 s`
  throw new Error(`${expected}, got ${got}:\n${side.log().slice(-2000)}`)
}

async function runningExecution({ database }: Side, workflowId: string): Promise<string> {
  const find = async () =>
    (await database.rows('execution_entity')).find((row) => row.workflowId === workflowId && row.status === 'running')
  const found = await until(find, { timeout: 30_000, every: 25 })
  if (!found) throw new Error(`Expected an execution of ${workflowId} to run within 30 s, got none`)
  return String(found.id)
}

function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
