import { randomBytes } from 'node:crypto'
import { invalid } from '../lib/errors.ts'

/** What n8n's own editor asks of n8n, signed in as the owner. */
export interface Editor {
  /** The list of executions, as the editor polls it. */
  listExecutions(signal: AbortSignal): Promise<void>
  listWorkflows(signal: AbortSignal): Promise<void>
  /** Saves a workflow of its own, which nothing calls. */
  save(signal: AbortSignal): Promise<void>
  /** Opens a connection for what n8n tells its editors; returns what closes it. */
  listen(): () => void
}

/** Signs up the owner of an n8n that has none yet: one that the lab started. */
export async function openEditor(url: string, signal: AbortSignal): Promise<Editor> {
  const browser = randomBytes(16).toString('hex')
  let cookie = ''
  async function ask(method: string, path: string, within: AbortSignal, body?: object): Promise<Response> {
    const answer = await fetch(`${url}/rest/${path}`, {
      method,
      headers: { cookie, 'browser-id': browser, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal: within,
    })
    // Read in any case, so that the connection is free again.
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path.split('?')[0]} answered ${answer.status}: ${text.slice(0, 200)}`)
    return new Response(text, { headers: answer.headers })
  }
  const start = async () => {
    const password = `A1${randomBytes(12).toString('hex')}`
    const owner = { email: 'editors@example.com', firstName: 'Lab', lastName: 'Editors', password }
    const answer = await ask('POST', 'owner/setup', signal, owner)
    cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const { data } = (await (await ask('POST', 'workflows', signal, draft)).json()) as { data: Saved }
    return data
  }
  let saved = await start().catch((error: Error) => {
    signal.throwIfAborted()
    throw invalid(
      'no-editors',
      `Expected this n8n to let its owner sign up, so that editors can be open, got: ${error.message}`,
      'Leave --editors out.',
    )
  })
  return {
    listExecutions: async (within) => void (await ask('GET', `executions?filter=${none}&limit=10`, within)),
    listWorkflows: async (within) =>
      void (await ask('GET', `workflows?filter=${none}&skip=0&take=50&sortBy=updatedAt:desc`, within)),
    async save(within) {
      const { id, versionId } = saved
      const body = { ...draft, versionId, nodes: draft.nodes.map((node) => ({ ...node, notes: String(Date.now()) })) }
      saved = ((await (await ask('PATCH', `workflows/${id}`, within, body)).json()) as { data: Saved }).data
    },
    listen() {
      const address = `${url.replace(/^http/, 'ws')}/rest/push?pushRef=${randomBytes(8).toString('hex')}`
      const socket = new WebSocket(address, { headers: { cookie, 'browser-id': browser, origin: url } })
      // One that n8n closes is a connection less, and no failure of the lab.
      socket.addEventListener('error', () => {})
      return () => socket.close()
    },
  }
}

const none = encodeURIComponent('{}')

interface Saved {
  id: string
  versionId: string
}

const draft = {
  name: 'A draft in an editor of n8n-tuned',
  nodes: [
    {
      id: 'f9f3f0f2-6c5b-4a0e-9d57-0d0f6c1b7a11',
      name: 'When clicking ‘Execute workflow’',
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    },
  ],
  connections: {},
  settings: { executionOrder: 'v1' },
}
