import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import { openPublicApi, readHistory, listWorkflows } from '../../../../loadtests/src/n8n/learn/api.ts'
import { freePorts } from '../../../../loadtests/src/lib/ports.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** Against a server that pages as n8n's public API does; test/e2e/learn.test.ts asks n8n itself. */

const now = Date.UTC(2026, 10, 20)
let server: Server
let asked: URL[] = []
afterEach(() => void server?.close().closeAllConnections())

async function serving(answer: (url: URL, request: IncomingMessage) => [number, unknown]): Promise<URL> {
  asked = []
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://n8n')
    asked.push(url)
    const [status, body] = answer(url, request)
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/n8n/`)
}

/** So many executions, one every ten seconds before now, the newest first. */
const executions = (total: number) =>
  serving(({ searchParams }) => {
    const from = Number(searchParams.get('cursor') ?? 0)
    const count = Math.min(Number(searchParams.get('limit')), total - from)
    const data = Array.from({ length: count }, (_, index) => ({
      id: total - from - index,
      workflowId: 'a',
      mode: 'webhook',
      status: 'success',
      startedAt: new Date(now - (from + index) * 10_000).toISOString(),
      stoppedAt: null,
    }))
    return [200, { data, nextCursor: from + count < total ? String(from + count) : null }]
  })
const read = async (url: URL, bounds: { days?: number; most?: number } = {}) =>
  readHistory(openPublicApi(url, 'key'), { days: 30, most: 1e6, now, ...bounds }, () => {})

test('every page is read, below the path that n8n has', async () => {
  const { history, cut } = await read(await executions(700))
  expect(history.habits).toMatchObject([{ executions: 700 }])
  expect(cut).toBeNull()
  expect(asked.map(({ pathname }) => pathname)).toEqual(Array(3).fill('/n8n/api/v1/executions'))
  expect(asked[0]!.searchParams.get('includeData')).toBe('false')
})

test('what is too old is not looked for', async () => {
  const { history } = await read(await executions(100_000), { days: 0.1 })
  expect(history.habits[0]!.executions).toBe(865)
  expect(asked.length).toBeLessThan(7)
})

test('of ten millions no more are read than were allowed', async () => {
  const { history, cut } = await read(await executions(10_000_000), { days: 10_000, most: 600 })
  expect(history.habits[0]!.executions).toBe(600)
  expect(cut).toBe(600)
  expect(asked).toHaveLength(3)
})

test('a page that fails does not discard the pages before it', async () => {
  const url = await serving(({ searchParams }) => {
    if (searchParams.get('cursor')) return [503, {}]
    const data = [{ id: 1, workflowId: 'a', mode: 'webhook', startedAt: new Date(now).toISOString(), stoppedAt: null }]
    return [200, { data, nextCursor: 'more' }]
  })
  const { history, failure } = await read(url)
  expect(history.habits).toMatchObject([{ executions: 1 }])
  expect(failure).toContain('503')
})

test('a thousand workflows are read, and archived ones left out', async () => {
  const url = await serving(({ searchParams }) => {
    const from = Number(searchParams.get('cursor') ?? 0)
    return [
      200,
      {
        data: Array.from({ length: 250 }, (_, index) => ({
          id: from + index,
          name: 'w',
          nodes: [],
          isArchived: index === 0,
        })),
        nextCursor: from < 750 ? String(from + 250) : null,
      },
    ]
  })
  expect(await listWorkflows(openPublicApi(url, 'key'))).toHaveLength(996)
})

test.each([
  [401, 'bad-api-key'],
  [403, 'no-rights'],
  [404, 'no-api'],
  [302, 'unreachable'],
])('%i is told as %s, without the key', async (status, code) => {
  const url = await serving(() => [status, {}])
  const refusal = await refusalOf(() => readHistory(openPublicApi(url, 's3cret'), { days: 1, most: 1, now }, () => {}))
  expect(refusal).toMatchObject({ code, exit: exitCodes.usage })
  expect(JSON.stringify(refusal) + refusal.message).not.toContain('s3cret')
})

test('nobody there is told with the reason', async () => {
  const [port] = await freePorts(1)
  expect(
    (await refusalOf(() => listWorkflows(openPublicApi(new URL(`http://127.0.0.1:${port}`), 'key')))).message,
  ).toContain('ECONNREFUSED')
})
