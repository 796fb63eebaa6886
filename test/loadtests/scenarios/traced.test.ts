import { spawn } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Traced } from '../../../loadtests/src/load/k6.ts'
import { options } from '../fixtures/k6.ts'

/** The real k6 with the scenario of faults. */

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

type Told = Pick<Traced, 'id' | 'outcome' | 'starting'>

/** Thirty requests to a server that answers so, at a rate at which other loads keep connections. */
async function outcomesOf(answer: RequestListener): Promise<Told[]> {
  const server = createServer(answer)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return outcomesAt((server.address() as AddressInfo).port)
}

async function outcomesAt(port: number, timeout = 10): Promise<Told[]> {
  const env = {
    URL: `http://127.0.0.1:${port}/`,
    METHOD: 'GET',
    RATE: '20',
    DURATION: '1.5',
    CLIENTS: '40',
    TIMEOUT: String(timeout),
    TRACE: 'ntr',
    ARRIVALS: 'even',
  }
  const [generated] = await options().generator.run({
    scenario: 'open',
    env,
    told: true,
    signal: new AbortController().signal,
  })
  return generated!.told!.map((line) => JSON.parse(line) as Told)
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
  expect(outcomes).toHaveLength(30)
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
  expect(outcomes).toHaveLength(30)
})

test('a request to which n8n only says that it is starting is accepted, and told', async () => {
  let arrived = 0
  const outcomes = await outcomesOf((_, answer) =>
    answer.end(++arrived === 1 ? 'n8n is starting up. Please wait' : 'done'),
  )
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
  expect(outcomes.filter(({ starting }) => starting)).toHaveLength(1)
})

test('a request without an answer is unanswered, and one without a connection is refused', async () => {
  const frozen = await frozenServer()
  try {
    // The kernel still makes the connections that fit into the backlog, and drops those that come after them.
    const outcomes = await outcomesAt(frozen.port, 2)
    const count = (outcome: string) => outcomes.filter((each) => each.outcome === outcome).length
    expect(count('unanswered')).toBe(2)
    expect(count('refused')).toBe(outcomes.length - 2)
  } finally {
    frozen.end()
  }
})

/** A server that never takes a connection, with room for two that wait. */
async function frozenServer(): Promise<{ port: number; end(): void }> {
  const program = `
    const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port))
      process.kill(process.pid, 'SIGSTOP')
    })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { port: Number(port), end: () => void child.kill('SIGKILL') }
}
