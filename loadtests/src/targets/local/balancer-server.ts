/** A process that passes connections on, with one port at HOST for every front in FRONTS. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Front } from './machine.ts'

for (const { port, backends } of JSON.parse(process.env.FRONTS!) as Front[])
  roundRobin(backends).listen(port, process.env.HOST)

/** Gives connections to the backends in turn. Skips a backend that refuses: it is starting again. */
function roundRobin(backends: number[]): Server {
  let turn = 0
  return createServer({ noDelay: true, allowHalfOpen: true }, async (client) => {
    // Before a backend is connected, no other code notices that a client goes away.
    client.on('error', () => {})
    const first = turn++
    for (let tries = 0; tries < backends.length; tries++) {
      const backend = await reach(backends[(first + tries) % backends.length]!)
      if (backend) return join(client, backend)
    }
    client.destroy()
  })
}

async function reach(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  return once(socket, 'connect').then(
    () => socket,
    () => null,
  )
}

/** Each direction ends by itself once all its data has passed; an abrupt end closes the other side, too. */
function join(client: Socket, backend: Socket): void {
  client.on('error', () => backend.destroy())
  backend.on('error', () => client.destroy())
  client.pipe(backend)
  backend.pipe(client)
}
