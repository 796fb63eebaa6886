/**
 * A server of known capacity in a process of its own, counted at /metrics as n8n counts.
 * node serve.ts PORT KIND CAPACITY
 */
import { createServer } from 'node:http'
import { metricsText } from '../small-n8n/metrics.mjs'
import { serverOf, type Kind } from './curves.ts'

const [port, kind, capacity] = process.argv.slice(2)
const server = serverOf(kind as Kind, Number(capacity), 1)
const startedAt = Math.round(performance.timeOrigin) / 1000
// One that has counted nothing yet says nothing, which n8n does too.
const counts = { started: 1, succeeded: 1, failed: 0 }

createServer((request, response) => {
  if (request.url === '/metrics') return void response.end(metricsText({ startedAt, ...counts }))
  counts.started++
  const { answered, ended } = server.request(performance.now())
  setTimeout(() => response.end('{}'), answered)
  setTimeout(() => counts.succeeded++, ended)
}).listen(Number(port), '127.0.0.1')
