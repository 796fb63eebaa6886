import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that the kernel gives to outgoing connections, so that no connection takes one before its server
 * listens. Also below Kubernetes' node ports.
 */
const range = [20_000, 30_000] as const
const attempts = 100

/** Finds free loopback ports, and holds all of them open until the last is found, so that none is given twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenSomewhere()))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

async function listenSomewhere(left = attempts): Promise<Server> {
  const server = createServer().listen({ port: left > 0 ? randomInt(...range) : 0, host: '127.0.0.1' })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (left === 0) throw error
    return listenSomewhere(left - 1)
  }
}
