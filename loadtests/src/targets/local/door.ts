/**
 * Runs in a network of a plan's own and keeps it. It is given servers that listen in the machine's network, and joins
 * each of their connections to the same port of its own loopback. Nothing in the network can connect the other way.
 */
import { connect, type Server, type Socket } from 'node:net'

/** The ports from which it connects: by them, a fault that cuts n8n off spares the lab. */
const [first, last] = JSON.parse(process.env.FROM_PORTS!) as [number, number]
let from = first

process.on('message', ({ port }: { port: number }, server: Server) => {
  server.on('connection', (client) => lead(client, port))
  process.send!({ opened: port })
})
// The lab has ended.
process.on('disconnect', () => process.exit())
process.send!({ ready: true })

function lead(client: Socket, port: number, tries = 20): void {
  client.allowHalfOpen = true
  const localPort = from++
  if (from > last) from = first
  const backend = connect({ port, host: '127.0.0.1', localPort, noDelay: true, allowHalfOpen: true })
  const refused = (error: NodeJS.ErrnoException) => {
    if (tries > 0 && (error.code === 'EADDRINUSE' || error.code === 'EADDRNOTAVAIL')) lead(client, port, tries - 1)
    else client.destroy()
  }
  backend.once('error', refused)
  backend.once('connect', () => {
    backend.off('error', refused)
    join(client, backend)
  })
}

/** Each direction ends by itself once all its data has passed; an abrupt end closes the other side, too. */
function join(client: Socket, backend: Socket): void {
  client.setNoDelay(true)
  client.on('error', () => backend.destroy())
  backend.on('error', () => client.destroy())
  client.on('close', () => backend.destroySoon())
  backend.on('close', () => client.destroySoon())
  client.pipe(backend)
  backend.pipe(client)
}
