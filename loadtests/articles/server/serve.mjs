import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

let count = 0

/** How many requests were answered. */
export const answered = () => count

/** Listens on PORT with the server that SERVER names. */
export async function serve() {
  const server = process.env.SERVER === 'sails' ? await sails() : createServer(await handler(process.env.SERVER))
  // Counts in front of each server, so that all are counted alike.
  server.prependListener('request', (_, response) =>
    response.once('close', () => (count += Number(response.writableFinished))),
  )
  if (server.listening) return
  server.listen(Number(process.env.PORT), '127.0.0.1', 4096)
  await once(server, 'listening')
}

/** It makes its server itself, with sessions, as a new app of it has them. */
async function sails() {
  const { Sails } = createRequire(new URL('sails/', import.meta.url))('sails')
  const app = new Sails()
  await new Promise((resolve, reject) =>
    app.lift(
      {
        appPath: process.cwd(),
        environment: 'production',
        explicitHost: '127.0.0.1',
        port: Number(process.env.PORT),
        hooks: { grunt: false },
        log: { level: 'silent' },
        session: { secret: 'of no worth' },
        routes: { 'GET /hello': (_, response) => response.send('Hello World') },
      },
      (error) => (error ? reject(error) : resolve()),
    ),
  )
  return app.hooks.http.server
}

async function handler(kind) {
  if (kind === 'express') {
    const { default: express } = await import('express')
    const app = express()
    app.get('/hello', (_, response) => void response.send('Hello World'))
    app.get('/count/:to', ({ params }, response) => void response.send(countTo(params.to)))
    return app
  }
  return ({ url }, response) => {
    if (url === '/hello') response.end('Hello World')
    else if (url.startsWith('/count/')) response.end(countTo(url.slice('/count/'.length)))
    else response.writeHead(404).end()
  }
}

/** The same work as in the clustering article's handler. */
function countTo(to) {
  const steps = Number(to)
  let sum = 0
  for (let step = 0; step < steps; step++) sum += step
  return String(sum)
}
