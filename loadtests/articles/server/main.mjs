/**
 * A bare server: CLUSTER workers behind Node's cluster module, or a single server if it is 0. It is JavaScript, because
 * Node would need memory to run TypeScript, and memory is measured.
 */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { startCluster } from './cluster.mjs'
import { answered, serve } from './serve.mjs'

const workers = Number(process.env.CLUSTER)

if (cluster.isWorker) {
  await serve()
  process.on('message', (question) => process.send({ question, answer: answered() }))
} else {
  const ask = workers > 0 ? await startCluster(workers) : (await serve(), answered)
  // Listens only now, because a server that tells its counts is ready.
  createServer(async ({ url }, response) => {
    const member = url.split('/')[2]
    const count = member === undefined && workers > 0 ? 0 : await ask(member)
    response.writeHead(count === null ? 404 : 200).end(String(count))
  }).listen(Number(process.env.COUNTS_PORT), '127.0.0.1')
}
