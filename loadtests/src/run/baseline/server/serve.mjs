import { once } from 'node:events'
import { createServer } from 'node:http'
import { count, counted } from './metrics.mjs'

/** Listens on PORT with the server that SERVER names. */
export async function serve() {
  const server = createServer(await handler(process.env.SERVER))
  // Counts in front of either server, so that both are counted alike.
  server.prependListener('request', (_, response) => counted(response))
  server.listen(Number(process.env.PORT), '127.0.0.1', 4096)
  await once(server, 'listening')
}

async function handler(kind) {
  if (kind === 'express') {
    const { default: express } = await import('express')
    const app = express()
    app.get('/hello', (_, response) => void response.send('Hello World'))
    app.get('/count/:to', ({ params }, response) => void response.send(count(params.to)))
    return app
  }
  return ({ url }, response) => {
    if (url === '/hello') response.end('Hello World')
    else if (url.startsWith('/count/')) response.end(count(url.slice('/count/'.length)))
    else response.writeHead(404).end()
  }
}
