import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A loopback port that leads to another one, until it is told otherwise. */
export interface Way {
  port: number
  /** Ends every connection. */
  cut(): void
  /** New connections meet this one instead. */
  leadTo(stranger: (client: Socket) => void): void
  /** New connections lead to the port again. */
  leadBack(): void
  close(): void
}

export async function wayTo(port: number): Promise<Way> {
  const open = new Set<Socket>()
  const there = (client: Socket) => {
    const behind = connect(port, '127.0.0.1').on('error', () => client.destroy())
    client.on('close', () => behind.destroy())
    client.pipe(behind).pipe(client)
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
    leadTo: (stranger) => void (meet = stranger),
    leadBack: () => void (meet = there),
    close: () => (cut(), server.close()),
  }
}
