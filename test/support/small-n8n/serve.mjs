/**
 * A small n8n in a separate process: a webhook that takes its time, counted at /metrics as n8n counts. node serve.mjs
 * PORT
 */
import { createServer } from 'node:http'
import { metricsText } from './metrics.mjs'

const startedAt = Math.round(performance.timeOrigin) / 1000
const counts = { started: 0, succeeded: 0, failed: 0 }

const routes = {
  /** ?ms=… until the execution ends; the answer comes with its end. */
  '/webhook/work': (query, answer) => {
    counts.started++
    setTimeout(
      () => {
        counts.succeeded++
        answer('done')
      },
      Number(query.get('ms') ?? 0),
    )
  },
  /** Answers at once and never ends. */
  '/webhook/stuck': (_, answer) => {
    counts.started++
    answer('begun')
  },
  /** Counts ?count=… executions that began and ended well. */
  '/executed': (query, answer) => {
    counts.started += Number(query.get('count'))
    counts.succeeded += Number(query.get('count'))
    answer('counted')
  },
  /** Computes for ?ms=… without a pause, and answers no request in that time. */
  '/busy': (query, answer) => {
    answer('working')
    setImmediate(() => {
      for (const end = Date.now() + Number(query.get('ms')); Date.now() < end;);
    })
  },
  '/crash': () => process.exit(3),
  '/healthz/readiness': (_, answer) => answer('{"status":"ok"}'),
  '/metrics': (_, answer) => answer(metricsText({ startedAt, ...counts })),
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const route = routes[pathname]
  if (route) route(searchParams, (text) => response.end(text))
  else response.writeHead(404).end()
})
server.listen(Number(process.argv[2]), '127.0.0.1')
