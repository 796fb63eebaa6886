import { until } from '../../loadtests/src/lib/await.ts'
import type { N8n } from './n8n.ts'

export const OWNER = { email: 'owner@example.com', firstName: 'Test', lastName: 'Owner', password: 'Owner-of-tests-1' }

export interface Owner {
  cookie: string
  makeApiKey(scopes: string[]): Promise<string>
  changeCredential(id: string, data: object): Promise<void>
  /** "Test" in the dialog of a credential. */
  testCredential(credentials: { name: string; type: string; data: object }): Promise<object>
  executions(filter: object): Promise<{ id: string; mode: string; status: string }[]>
}

/** Makes the owner's account of an n8n 2 that has none, and acts as its editor does. */
export async function signUp(n8n: N8n): Promise<Owner> {
  const send = async (method: string, path: string, body?: object, cookie = '') => {
    const response = await fetch(`${n8n.url}/rest${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Expected n8n to accept ${method} ${path}, got ${response.status}: ${text}`)
    return { data: (JSON.parse(text) as { data: any }).data }
  }
  await send('POST', '/owner/setup', OWNER)
  // On a busy machine n8n may refuse its new owner for a moment.
  const cookie = await until(() => signIn(n8n), { timeout: 30_000, every: 100 })
  if (!cookie) throw new Error('Expected n8n to let its owner sign in within 10 s, got no session that it accepts')
  // No two keys have one name.
  let keys = 0
  return {
    cookie,
    async makeApiKey(scopes) {
      const { data } = await send('POST', '/api-keys', { label: `test ${++keys}`, scopes, expiresAt: null }, cookie)
      return data.rawApiKey
    },
    async changeCredential(id, data) {
      const { data: old } = await send('GET', `/credentials/${id}`, undefined, cookie)
      await send('PATCH', `/credentials/${id}`, { id, name: old.name, type: old.type, data }, cookie)
    },
    async testCredential(credentials) {
      const { data } = await send('POST', '/credentials/test', { credentials: { id: '', ...credentials } }, cookie)
      return data
    },
    async executions(filter) {
      const { data } = await send(
        'GET',
        `/executions?limit=50&filter=${encodeURIComponent(JSON.stringify(filter))}`,
        undefined,
        cookie,
      )
      return data.results
    },
  }
}

/** The cookie of a session that n8n accepts, if it does. */
async function signIn({ url }: N8n): Promise<string | undefined> {
  const { email, password } = OWNER
  const response = await fetch(`${url}/rest/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailOrLdapLoginId: email, password }),
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  return cookie && (await fetch(`${url}/rest/login`, { headers: { cookie } })).ok ? cookie : undefined
}
