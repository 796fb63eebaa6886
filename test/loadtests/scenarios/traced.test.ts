import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { options } from '../fixtures/k6.ts'

/** The real k6 with the scenario of faults. */

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** Ten requests a second for three seconds to a server that answers so. */
async function outcomesOf(answer: RequestListener): Promise<{ id: string; outcome: string }[]> {
  const server = createServer(answer)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    URL: `http://127.0.0.1:${port}/`,
    METHOD: 'GET',
    RATE: '10',
    DURATION: '3',
    CLIENTS: '40',
    TIMEOUT: '10',
    TRACE: 'ntr',
  }
  const { told } = await options().generator.run({
    scenario: 'traced',
    env,
    told: true,
    signal: new AbortController().signal,
  })
  return told!.map((line) => JSON.parse(line) as { id: string; outcome: string })
}

test('each request is sent once, though every second one of a connection breaks', async () => {
  const arrived = new Map<string, number>()
  const before = new WeakMap<object, number>()
  const outcomes = await outcomesOf((request, answer) => {
    const id = String(request.headers['x-n8n-tuned-request'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
    const count = (before.get(request.socket) ?? 0) + 1
    before.set(request.socket, count)
    if (count % 2 === 0) request.socket.destroy()
    else answer.end()
  })
  expect(outcomes.length).toBeGreaterThan(20)
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
  expect(outcomes.map(({ id }) => arrived.get(id))).toEqual(outcomes.map(() => 1))
})

test('the rate stays while requests wait for their answers', async () => {
  let arrived = 0
  const waiting: (() => void)[] = []
  const outcomes = await outcomesOf((_, answer) => {
    arrived += 1
    waiting.push(() => answer.end())
    if (arrived >= 29) for (const end of waiting.splice(0)) end()
  })
  expect(outcomes.length).toBeGreaterThanOrEqual(29)
})
