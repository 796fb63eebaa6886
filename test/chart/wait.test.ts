import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createPort, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths } from '../../loadtests/src/paths.ts'

const listening = async (server: Server, port = 0): Promise<number> => {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** The init container that waits for these: what it says, and its exit code. */
function waiting(...targets: string[]) {
  const child = spawn(process.execPath, [join(paths.chart, 'files/wait.js')], { env: { WAIT_FOR: targets.join(' ') }, stdio: ['ignore', 'pipe', 'inherit'] })
  return { says: once(child.stdout, 'data'), code: once(child, 'exit').then(([code]) => code as number) }
}

test('waits through whatever becomes of a try: refused, unready, cut off, never answered', async () => {
  const seen: string[] = []
  const answers: Record<string, RequestListener> = {
    unready: (_, response) => response.writeHead(503).end(),
    'cut off': (request) => request.socket.destroy(),
    'never answered': () => undefined,
    ready: (_, response) => response.end(),
  }
  const kinds = Object.keys(answers)
  const server = createServer((request, response) => {
    const kind = kinds[seen.length]!
    seen.push(kind)
    answers[kind]!(request, response)
  })
  const port = await listening(server)
  server.close()
  const { says, code } = waiting(`http://127.0.0.1:${port}/healthz`)
  await says
  await listening(server, port)
  expect(await code).toBe(0)
  expect(seen).toEqual(kinds)
  server.closeAllConnections()
  server.close()
})

test('waits for all of them, and for a port only until it accepts', async () => {
  const silent = createPort()
  const http = createServer((_, response) => response.end())
  const targets = [`tcp://127.0.0.1:${await listening(silent)}`, `http://127.0.0.1:${await listening(http)}/`]
  expect(await waiting(...targets).code).toBe(0)
  silent.close()
  http.close()
})
