import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Connections to each backend in turn. One that refuses is passed over: it is being started again. */
export function roundRobin(backends: number[]): Server {
  let turn = 0
  return createServer({ noDelay: true, allowHalfOpen: true }, async (client) => {
    // Until there is a backend, a client that goes away tells nobody.
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

/** Each way ends by itself, once all of it has gone through; a sudden end is the other side's too. */
function join(client: Socket, backend: Socket): void {
  client.on('error', () => backend.destroy())
  backend.on('error', () => client.destroy())
  client.pipe(backend)
  backend.pipe(client)
}
