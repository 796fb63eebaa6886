/**
 * A made server in a process of its own, counted at /metrics as n8n counts.
 * node serve.ts PORT MADE [NOISE SEED]      MADE as JSON, or a machine; NOISE as a share: its pace changes by so much
 */
import { createServer } from 'node:http'
import { random } from '../random.ts'
import { metricsText } from '../small-n8n/metrics.mjs'
import { realClock } from './clock.ts'
import { uneven } from './pace.ts'
import { machine, type Served } from './machine.ts'
import { made } from './servers.ts'

const [port, of, noise = '0', seed = '1'] = process.argv.slice(2)
const pace = uneven(Number(noise), random(Number(seed)))
const asked = JSON.parse(of!) as Served
const server =
  asked.kind === 'machine' ? machine(asked.of)(realClock, Number(seed)) : made(asked)(realClock, Number(seed), pace)
const startedAt = Math.round(performance.timeOrigin) / 1000
// One that has counted nothing yet says nothing, which n8n does too.
const counts = { started: 1, succeeded: 1, failed: 0 }

createServer((request, response) => {
  if (request.url === '/metrics') return void response.end(metricsText({ startedAt, ...counts }))
  // What it would use of a CPU if it did its work, and did not only wait for its time.
  if (request.url === '/cpu') return void response.end(String(server.cpu()))
  counts.started++
  server.request(
    () => response.end('{}'),
    (how) => void (how === 'lost' ? counts.started-- : counts.succeeded++),
  )
}).listen(Number(port), '127.0.0.1')
