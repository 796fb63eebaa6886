/**
 * A server of known capacity in a process of its own, counted at /metrics as n8n counts.
 * node serve.ts PORT KIND CAPACITY [NOISE SEED]      NOISE as a share: its pace changes by so much
 */
import { createServer } from 'node:http'
import { random } from '../random.ts'
import { metricsText } from '../small-n8n/metrics.mjs'
import { serverOf, type Kind } from './curves.ts'
import { uneven } from './pace.ts'

const [port, kind, capacity, noise = '0', seed = '1'] = process.argv.slice(2)
const pace = uneven(Number(noise), random(Number(seed)))
const server = serverOf(kind as Kind, Number(capacity), Number(seed), pace)
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
