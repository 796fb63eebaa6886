import { once } from 'node:events'
import { createServer } from 'node:http'

let count = 0

/** How many requests were answered. */
export const answered = () => count

/** Listens on PORT with the server that SERVER names. */
export async function serve() {
  const server = createServer(await handler(process.env.SERVER))
  // Counts in front of either server, so that both are counted alike.
  server.prependListener('request', (_, response) =>
    response.once('close', () => (count += Number(response.writableFinished))),
  )
  server.listen(Number(process.env.PORT), '127.0.0.1', 4096)
  await once(server, 'listening')
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
