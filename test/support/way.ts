import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A loopback port that leads to another one, until it is told otherwise. */
export interface Way {
  port: number
  /** Ends every connection. */
  cut(): void
  /** What the port says arrives only after `letThrough`. */
  hold(): void
  letThrough(): void
  /** New connections meet this one instead. */
  leadTo(stranger: (client: Socket) => void): void
  /** New connections lead to the port again. */
  leadBack(): void
  close(): void
}

export async function wayTo(port: number): Promise<Way> {
  const open = new Set<Socket>()
  const behinds = new Map<Socket, Socket>()
  let held = false
  const there = (client: Socket) => {
    const behind = connect(port, '127.0.0.1').on('error', () => client.destroy())
    behinds.set(client, behind)
    client.on('close', () => (behind.destroy(), behinds.delete(client)))
    client.pipe(behind)
    if (!held) behind.pipe(client)
  }
  let meet = there
  const server = createServer((client) => {
    open.add(client.on('error', () => {}).on('close', () => open.delete(client)))
    meet(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => open.forEach((client) => client.destroy())
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    hold() {
      held = true
      for (const [client, behind] of behinds) behind.unpipe(client)
    },
    letThrough() {
      held = false
      for (const [client, behind] of behinds) behind.pipe(client)
    },
    leadTo: (stranger) => void (meet = stranger),
    leadBack: () => void (meet = there),
    close: () => (cut(), server.close()),
  }
}
