import { createServer, type AddressInfo, type Server } from 'node:net'

/** Something that listens where a store of production would, and notes every connection. */
export interface Decoy {
  host: string
  port: number
  connections: number
  close(): Promise<void>
}

export async function openDecoy(host: string): Promise<Decoy> {
  const server: Server = createServer((socket) => {
    decoy.connections++
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const decoy: Decoy = {
    host,
    port: (server.address() as AddressInfo).port,
    connections: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return decoy
}
