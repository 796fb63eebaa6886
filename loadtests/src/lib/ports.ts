import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that the kernel gives to outgoing connections, so that no connection takes one before its server
 * listens. Also below Kubernetes' node ports.
 */
const range = [20_000, 30_000] as const
const attempts = 100

/**
 * Each is given once: whether a server listens by now is not seen from here, where that is in a network of its own. The
 * oldest may be given again, since what had them has ended.
 */
const given = new Set<number>()
const remembered = 5_000

/** Finds free loopback ports, and holds all of them open until the last is found, so that none is given twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenSomewhere()))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  for (const port of ports) given.add(port)
  for (const oldest of [...given].slice(0, -remembered)) given.delete(oldest)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

async function listenSomewhere(left = attempts): Promise<Server> {
  const port = left > 0 ? randomInt(...range) : 0
  if (given.has(port)) return listenSomewhere(left - 1)
  const server = createServer().listen({ port, host: '127.0.0.1' })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (left === 0) throw error
    return listenSomewhere(left - 1)
  }
}
