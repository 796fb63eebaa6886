import { createHmac } from 'node:crypto'
import type { Area, Case } from '../case.ts'
import { chain, set, webhook } from '../workflow.ts'

const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})
/** Signed with HS256 and the passphrase below; says {"sub":"ada"}. */
const signed = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.'

const credentials = [
  { id: 'basic', name: 'basic', type: 'httpBasicAuth', data: { user: 'ada', password: 'sesame' } },
  { id: 'header', name: 'header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'sesame' } },
  { id: 'jwt', name: 'jwt', type: 'jwtAuth', data: { keyType: 'passphrase', secret: 'sesame', algorithm: 'HS256' } },
]

const guarded = (
  name: string,
  authentication: string,
  type: string,
  credential: string,
  act: (path: string) => Case['act'],
): Case => {
  const path = `wh-auth-${credential}`
  const guard = webhook(path, { authentication }, { credentials: { [type]: { id: credential, name: credential } } })
  return { name, workflows: [chain(path, [guard, set({ let: 'in' })])], act: act(`/webhook/${path}`) }
}

const cases: Case[] = [
  guarded('basic authentication', 'basicAuth', 'httpBasicAuth', 'basic', (path) => async (n8n) => {
    await n8n.ask(path, { status: 401 })
    await n8n.ask(path, { ...basic('ada', 'wrong'), status: [401, 403] })
    await n8n.ask(path, basic('ada', 'sesame'))
  }),
  guarded('a key in a header', 'headerAuth', 'httpHeaderAuth', 'header', (path) => async (n8n) => {
    await n8n.ask(path, { status: 403 })
    await n8n.ask(path, { headers: { 'x-key': 'sesame' } })
  }),
  guarded('a JSON web token', 'jwtAuth', 'jwtAuth', 'jwt', (path) => async (n8n) => {
    const token = signed + createHmac('sha256', 'sesame').update(signed.slice(0, -1)).digest('base64url')
    await n8n.ask(path, { status: 401 })
    await n8n.ask(path, { headers: { authorization: `Bearer ${token}x` }, status: 403 })
    await n8n.ask(path, { headers: { authorization: `Bearer ${token}` } })
  }),
]

export const webhookAuthentication: Area = { name: 'webhooks: authentication', cases, credentials }
