import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../../loadtests/src/lib/await.ts'
import { openEditors } from '../../../loadtests/src/run/editors.ts'
import { refusalOf } from '../../support/refusal.ts'

/** A server that answers as n8n does to its editor. What the real one answers is in test/e2e/in-use.test.ts. */

let server: Server
let url: string
let asked: { method: string; path: string; cookie: string | undefined }[]
let answers: (request: IncomingMessage) => { status: number; body: object }
const listening = new AbortController()
beforeEach(async () => {
  asked = []
  answers = ({ url: path }) =>
    path!.startsWith('/rest/workflows')
      ? { status: 200, body: { data: { id: 'own', versionId: 'one' } } }
      : { status: 200, body: {} }
  server = createServer((request, response) => {
    request.resume()
    asked.push({ method: request.method!, path: request.url!, cookie: request.headers.cookie })
    const { status, body } = answers(request)
    response.writeHead(status, { 'set-cookie': 'n8n-auth=ours; Path=/' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const pace = { executions: 20, workflows: 20, saves: 20, patience: 5000 }
const open = (count: number) =>
  openEditors(
    url,
    count,
    listening.signal,
    (error) => {
      throw error
    },
    pace,
  )
const lists = () => asked.filter(({ path }) => path === '/rest/executions?filter=%7B%7D&limit=10')
const whole = { startedAt: 0, endedAt: Infinity }

test('they poll the list of executions as the owner, with a connection each, and one of them saves', async () => {
  const editors = await open(3)
  expect(lists()).toEqual([])
  await editors.awake(true)
  const saves = () => asked.filter(({ method, path }) => method === 'PATCH' && path === '/rest/workflows/own')
  await until(async () => lists().length > 8 && saves().length > 1, { timeout: 20_000, every: 10 })
  await editors.awake(false)
  expect(new Set(lists().map(({ cookie }) => cookie))).toEqual(new Set(['n8n-auth=ours']))
  expect(asked.filter(({ path }) => path.startsWith('/rest/push?pushRef='))).toHaveLength(3)
  const seen = editors.during(whole)
  expect(seen).toMatchObject({ open: 3, lists: { asked: lists().length, failed: 0 } })
  expect(seen.lists.p95).toBeGreaterThanOrEqual(seen.lists.p50!)
  expect(seen.saves.asked).toBe(saves().length)
})

test('nothing of theirs is asked for while they are closed', async () => {
  const editors = await open(2)
  await editors.awake(true)
  await until(async () => lists().length > 2, { timeout: 20_000, every: 10 })
  await editors.awake(false)
  const before = asked.length
  const other = await open(1)
  await other.awake(true)
  await until(async () => other.during(whole).lists.asked > 2, { timeout: 20_000, every: 10 })
  await other.awake(false)
  expect(editors.during(whole).lists.asked).toBeLessThanOrEqual(before)
  expect(editors.during({ startedAt: Date.now() + 1000, endedAt: Infinity }).lists).toEqual({
    asked: 0,
    failed: 0,
    p50: null,
    p95: null,
  })
})

test('lists that n8n refuses have failed', async () => {
  const editors = await open(1)
  answers = () => ({ status: 503, body: { message: 'Database is not ready' } })
  await editors.awake(true)
  await until(async () => editors.during(whole).lists.failed > 1, { timeout: 20_000, every: 10 })
  await editors.awake(false)
  const { asked: all, failed } = editors.during(whole).lists
  expect(failed).toBe(all)
})

test('without an owner of the lab’s there are none', async () => {
  answers = () => ({ status: 400, body: { message: 'Instance owner already setup' } })
  const refusal = await refusalOf(() => open(1))
  expect(refusal).toMatchObject({ code: 'no-editors' })
  expect(refusal.message).toContain('Instance owner already setup')
})
