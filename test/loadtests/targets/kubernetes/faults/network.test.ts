import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import { paths } from '../../../../../loadtests/src/lib/paths.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'

/** The program that stands before a store, with an echo as the store. */

const state = join(temporaryFolder(), 'network')
const fails = (how: string) => writeFile(state, `${how}\n`)
const works = () => rm(state, { force: true })
/** Longer than the program takes to see its file. */
const seen = 200

let store: Server
let network: ChildProcess
let port: number
const portOf = (server: Server) => (server.address() as AddressInfo).port

async function open(): Promise<Socket> {
  const caller = connect(port, '127.0.0.1')
  await once(caller, 'connect')
  return caller
}
const answerTo = async (caller: Socket, said: string): Promise<string> => {
  const answer = once(caller, 'data')
  caller.write(said)
  return String((await answer)[0])
}

beforeAll(async () => {
  store = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).pipe(socket))
  store.listen(0, '127.0.0.1')
  const free = createServer().listen(0, '127.0.0.1')
  await Promise.all([store, free].map((server) => once(server, 'listening')))
  port = portOf(free)
  free.close()
  const env = { LISTEN: String(port), STORE: String(portOf(store)), STATE: state }
  network = spawn(process.execPath, [paths.faultyNetwork], { env, stdio: 'inherit' })
  await until(
    async () =>
      open().then(
        (caller) => Boolean(caller.destroy()),
        () => false,
      ),
    { timeout: 10_000, every: 50 },
  )
})
afterEach(works)
afterAll(() => {
  network.kill()
  store.close()
})

test('everything passes at once, and an end passes too', async () => {
  const caller = await open()
  expect(await answerTo(caller, 'ping')).toBe('ping')
  caller.end('last')
  expect(await text(caller)).toBe('last')
})

test('while it is cut off connections stay and nothing passes, and then everything arrives', async () => {
  const caller = await open()
  await answerTo(caller, 'before')
  await fails('cut-off')
  await setTimeout(seen)
  const late = await open()
  const answers = Promise.all([answerTo(caller, 'during'), answerTo(late, 'connected during')])
  expect(await Promise.race([answers, setTimeout(seen, 'silence')])).toBe('silence')
  await works()
  expect(await answers).toEqual(['during', 'connected during'])
  for (const socket of [caller, late]) socket.destroy()
})

test('while it is lossy everything arrives in order, some of it late', async () => {
  const caller = await open()
  await fails('lossy')
  await setTimeout(seen)
  const waits: number[] = []
  // All of these arriving in time has a probability of one in a million.
  for (let number = 0; number < 70; number++) {
    const sent = performance.now()
    expect(await answerTo(caller, `${number}`)).toBe(`${number}`)
    waits.push(performance.now() - sent)
  }
  expect(Math.max(...waits)).toBeGreaterThan(190)
  caller.destroy()
}, 60_000)

test('a connection that one side breaks is broken for the other', async () => {
  const caller = await open()
  await answerTo(caller, 'before')
  const count = () => new Promise<number>((resolve) => store.getConnections((_, open) => resolve(open)))
  const areOpen = (some: number) => until(async () => (await count()) === some, { timeout: 10_000, every: 20 })
  expect(await areOpen(1)).toBe(true)
  caller.resetAndDestroy()
  expect(await areOpen(0)).toBe(true)
})
