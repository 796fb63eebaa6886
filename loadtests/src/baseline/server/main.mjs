/**
 * A bare server: CLUSTER of them behind Node's cluster module, or a single one where that is 0. JavaScript, since
 * what Node needs to run TypeScript would be part of the memory that is measured.
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
  // Only now: who asks for metrics may take every server for ready.
  createServer(async ({ url }, response) => {
    const member = url.split('/')[2]
    const text = member === undefined || member === 'master' ? ownMetrics() : await ask?.(member)
    response.writeHead(text ? 200 : 404).end(text)
  }).listen(Number(process.env.METRICS_PORT), '127.0.0.1')
}
