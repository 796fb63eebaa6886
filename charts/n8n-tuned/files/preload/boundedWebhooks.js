// n8n takes every webhook that comes, however many it has yet to answer: past its limit all of them wait longer and
// longer, until their callers give up or its memory is full. Here it has as many unanswered at once as V8's heap
// may have megabytes, and tells the others at once to come back later.
const http = require('http')

const most = Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20)
const path = `/${process.env.N8N_PATH ?? ''}/${process.env.N8N_ENDPOINT_WEBHOOK ?? 'webhook'}/`.replace(/\/{2,}/g, '/')
const emit = http.Server.prototype.emit
let unanswered = 0
let said = -Infinity

http.Server.prototype.emit = function (event, request, response) {
  if (event !== 'request' || !request.url.startsWith(path)) return emit.apply(this, arguments)
  if (unanswered >= most) return refuse(response)
  unanswered++
  response.once('close', () => unanswered--)
  return emit.apply(this, arguments)
}

function refuse(response) {
  response.writeHead(503, { 'Retry-After': '5' }).end('n8n has as many webhooks to answer as it can hold. Try again later.')
  if (process.uptime() - said > 60) {
    console.warn(`n8n-tuned: ${most} webhooks are unanswered; others are refused with status 503 (tuning.boundedWebhooks).`)
    said = process.uptime()
  }
  return true
}
