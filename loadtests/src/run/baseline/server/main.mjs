/**
 * A bare server: CLUSTER workers behind Node's cluster module, or a single server if it is 0. It is JavaScript, because
 * Node would need memory to run TypeScript, and memory is measured.
 */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { startCluster } from './cluster.mjs'
import { ownMetrics } from './metrics.mjs'
import { serve } from './serve.mjs'

const workers = Number(process.env.CLUSTER)

if (cluster.isWorker) {
  await serve()
  process.on('message', (question) => process.send({ question, answer: ownMetrics() }))
} else {
  const ask = workers > 0 ? await startCluster(workers) : (await serve(), null)
  // Listens only now, because a server with metrics counts as ready.
  createServer(async ({ url }, response) => {
    const member = url.split('/')[2]
    const text = member === undefined || member === 'master' ? ownMetrics() : await ask?.(member)
    response.writeHead(text ? 200 : 404).end(text)
  }).listen(Number(process.env.METRICS_PORT), '127.0.0.1')
}
