import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Authority } from '../certificates.ts'

/** The host that a caller believes it is connected to. */
export interface Tunnel {
  secure: boolean
  /** With its port, unless it is the usual one. */
  host: string
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
/** The first byte of a TLS handshake. */
const handshake = 0x16

/** Takes the place of the host that a CONNECT asks for: ends TLS, and gives the calls to the server. */
export function openTunnels(server: Server, { contextFor }: Authority): WeakMap<object, Tunnel> {
  const tunnels = new WeakMap<object, Tunnel>()

  async function secure(socket: Socket, name: string, port: string): Promise<void> {
    const inside = new TLSSocket(socket, {
      isServer: true,
      secureContext: await contextFor(name),
      ALPNProtocols: ['http/1.1'],
    })
    inside.on('error', () => socket.destroy())
    tunnels.set(inside, { secure: true, host: hostOf(name, port, '443') })
    server.emit('connection', inside)
  }

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const [, name = '', port = '443'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(request.url!)!
    socket.on('error', () => socket.destroy())
    socket.write(established)
    if (port === '443') return void secure(socket, name, port)
    socket.once('data', (first: Buffer) => {
      socket.pause()
      socket.unshift(first)
      if (first[0] === handshake) return void secure(socket, name, port)
      tunnels.set(socket, { secure: false, host: hostOf(name, port, '80') })
      server.emit('connection', socket)
      socket.resume()
    })
  })
  return tunnels
}

export const hostOf = (name: string, port: string, usual: string) =>
  port === usual || port === '' ? name : `${name}:${port}`
