import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openClusterApi } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** A real server on a real socket, in the place of kubectl proxy. */

const folder = temporaryFolder()
let count = 0
const closing: (() => void)[] = []
afterAll(() => closing.forEach((close) => close()))

async function served(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const socket = join(folder, `api-${count++}`)
  const server = createServer(async (request, response) => answer(request, response, await text(request))).listen(
    socket,
  )
  await once(server, 'listening')
  const api = openClusterApi(socket)
  closing.push(() => (api.close(), server.close()))
  return api
}

const status = (response: ServerResponse, code: number, message: string) =>
  response.writeHead(code).end(JSON.stringify({ kind: 'Status', message }))

test('an object is asked for, made, changed and removed', async () => {
  const seen: unknown[] = []
  const api = await served(({ method, url, headers }, response, body) => {
    seen.push([method, url, headers['content-type'], body && JSON.parse(body)])
    response.end('{"kind":"Namespace"}')
  })
  expect(await api.get('/api/v1/namespaces/a')).toEqual({ kind: 'Namespace' })
  await api.create('/api/v1/namespaces', { kind: 'Namespace' })
  await api.patch('/api/v1/namespaces/a', { metadata: {} })
  await api.remove('/api/v1/namespaces/a')
  expect(seen).toEqual([
    ['GET', '/api/v1/namespaces/a', undefined, ''],
    ['POST', '/api/v1/namespaces', 'application/json', { kind: 'Namespace' }],
    ['PATCH', '/api/v1/namespaces/a', 'application/merge-patch+json', { metadata: {} }],
    ['DELETE', '/api/v1/namespaces/a', 'application/json', expect.objectContaining({ gracePeriodSeconds: 0 })],
  ])
})

test('what is not there is undefined to who looks for it, and no error to who removes it', async () => {
  const api = await served((_, response) => status(response, 404, 'namespaces "a" not found'))
  expect(await api.find('/api/v1/namespaces/a')).toBeUndefined()
  await api.remove('/api/v1/namespaces/a')
})

test('its time is the API server’s, whatever this machine takes it to be', async () => {
  const hour = 3_600_000
  const api = await served((_, response) => {
    response.writeHead(200, { date: new Date(Date.now() + hour).toUTCString() }).end('{}')
  })
  await api.get('/version')
  expect(Math.round((api.now() - Date.now()) / hour)).toBe(1)
})

test('a refusal is told in the API server’s own words', async () => {
  const api = await served((_, response) => status(response, 403, 'namespaces is forbidden: User "jane" cannot create'))
  const refusal = await refusalOf(() => api.create('/api/v1/namespaces', {}))
  expect(refusal).toMatchObject({
    code: 'cluster-refused',
    message: expect.stringContaining('User "jane" cannot create'),
  })
})

test('a page is what it is, whatever its status; one that does not answer in time is none', async () => {
  const api = await served(
    ({ url }, response) => void (url === '/late' ? undefined : response.writeHead(503).end('starting')),
  )
  expect(await api.ask('/metrics', { timeout: 1000 })).toEqual({ status: 503, text: 'starting' })
  expect(await api.ask('/late', { timeout: 50 })).toBeNull()
})

test('a log is followed until it ends', async () => {
  const api = await served((_, response) => {
    response.write('one\n')
    setImmediate(() => response.end('two\n'))
  })
  let log = ''
  await api.follow('/log?follow=true', (part) => (log += part), new AbortController().signal)
  expect(log).toBe('one\ntwo\n')
})
