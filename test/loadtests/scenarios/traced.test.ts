import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { options } from '../fixtures/k6.ts'

/** The real k6 with the scenario of faults, against a server that breaks every second request of a connection. */

let server: Server
const arrived = new Map<string, number>()
beforeAll(async () => {
  const before = new WeakMap<object, number>()
  server = createServer((request, answer) => {
    const id = String(request.headers['x-n8n-tuned-request'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
    const count = (before.get(request.socket) ?? 0) + 1
    before.set(request.socket, count)
    if (count % 2 === 0) request.socket.destroy()
    else answer.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

test('each request is sent once, by a connection of its own', async () => {
  const { port } = server.address() as AddressInfo
  const env = {
    URL: `http://127.0.0.1:${port}/`,
    METHOD: 'GET',
    RATE: '10',
    DURATION: '3',
    CLIENTS: '20',
    TRACE: 'ntr',
  }
  const { told } = await options().generator.run({
    scenario: 'traced',
    env,
    told: true,
    signal: new AbortController().signal,
  })
  const outcomes = told!.map((line) => JSON.parse(line) as { id: string; outcome: string })
  expect(outcomes.length).toBeGreaterThan(20)
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
  expect(outcomes.map(({ id }) => arrived.get(id))).toEqual(outcomes.map(() => 1))
})
