import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Servers whose answers have no end, each in its own way. */

type Answering = (request: IncomingMessage, response: ServerResponse) => void

const mebibyte = 'x'.repeat(2 ** 20)

/** Sends pieces as fast as they are taken, until the other side is gone. */
function pour(to: ServerResponse | Socket, piece: () => string | Buffer): void {
  const more = () => {
    while (!to.destroyed && to.write(piece()));
  }
  to.on('drain', more).on('error', () => {})
  more()
}

const json = { 'content-type': 'application/json' }

/** 64 MiB that are packed into 64 KiB, again and again: members of one archive follow each other. */
const packed = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '))

let page = 0
const workflow = (id: number) => ({
  id: String(id),
  name: `w${id}`,
  nodes: [{ type: 'n8n-nodes-base.webhook', parameters: { path: 'x', text: 'y'.repeat(2000) } }],
  connections: {},
})
const execution = (id: number) => ({
  id,
  workflowId: String(id % 25),
  mode: 'webhook',
  status: 'success',
  startedAt: new Date().toISOString(),
  stoppedAt: null,
})

const pages =
  (make: (list: string, number: number) => object[]): Answering =>
  ({ url }, response) => {
    const list = new URL(url!, 'http://n8n').pathname.split('/').at(-1)!
    response.writeHead(200, json).end(JSON.stringify({ data: make(list, page), nextCursor: `c${page++}` }))
  }

/** Ways over HTTP. */
const answers: Record<string, Answering> = {
  'a body': (_, response) => pour(response.writeHead(200), () => mebibyte),
  'a body of a byte now and then': (_, response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  'a packed body': (_, response) =>
    pour(response.writeHead(200, { ...json, 'content-encoding': 'gzip' }), () => packed),
  'JSON of one string': (_, response) => {
    response.writeHead(200, json).write('{"data":["')
    pour(response, () => mebibyte)
  },
  'JSON of a list': (_, response) => {
    response.writeHead(200, json).write('{"data":[{}')
    pour(response, () => ',{}'.repeat(2 ** 18))
  },
  redirects: ({ url }, response) => response.writeHead(302, { location: `${url}0` }).end(),
  'empty pages': pages(() => []),
  'pages of the same': pages((list) => (list === 'workflows' ? [workflow(1)] : [execution(1)])),
  'pages of workflows': pages((_, number) => Array.from({ length: 25 }, (_, index) => workflow(number * 25 + index))),
  'pages of executions': ({ url }, response) =>
    url!.includes('/workflows')
      ? response
          .writeHead(200, json)
          .end(JSON.stringify({ data: Array.from({ length: 25 }, (_, index) => workflow(index)), nextCursor: null }))
      : pages((_, number) => Array.from({ length: 250 }, (_, index) => execution(number * 250 + index)))(
          { url } as IncomingMessage,
          response,
        ),
}

/** Ways below HTTP. */
const sockets: Record<string, (socket: Socket) => void> = {
  headers: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    let number = 0
    pour(socket, () => `x-${number++}: ${'y'.repeat(200)}\r\n`)
  },
  'headers of a byte now and then': (socket) => {
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\nx: ')
    const timer = setInterval(() => socket.write('y'), 50)
    socket.on('close', () => clearInterval(timer))
  },
  'no answer': (socket) => void socket.on('error', () => {}),
}

export const endlessWays = [...Object.keys(answers), ...Object.keys(sockets)]

export async function startEndless(way: string): Promise<{ url: string; stop(): void }> {
  const open = new Set<Socket>()
  const server: Server = sockets[way] ? createServer(sockets[way]) : createHttpServer(answers[way])
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
