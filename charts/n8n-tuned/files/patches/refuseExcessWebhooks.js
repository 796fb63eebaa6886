// n8n accepts every webhook, however many are still unanswered. Above its capacity all callers wait longer and longer,
// until they give up or memory is full. With this patch a process holds at most as many unanswered webhooks as V8's
// heap has megabytes, and answers the others at once with status 503.
const http = require('http')
const { webhooks } = require('./metrics.js')

exports.modules = { 'dist/abstract-server.js': { wrap: limitWebhooks } }

function limitWebhooks() {
  const limit = Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20)
  const { N8N_PATH = '', N8N_ENDPOINT_WEBHOOK = 'webhook' } = process.env
  const prefix = `/${N8N_PATH}/${N8N_ENDPOINT_WEBHOOK}/`.replace(/\/{2,}/g, '/')
  const { emit } = http.Server.prototype
  /** The webhooks under way and when each came, the oldest first. */
  const unanswered = new Map()
  let warnedAt = -Infinity
  webhooks.oldest = () => {
    for (const [response, since] of unanswered) if (!response.headersSent) return process.uptime() - since
    return 0
  }

  http.Server.prototype.emit = function (event, request, response) {
    if (event !== 'request' || !request.url.startsWith(prefix)) return emit.apply(this, arguments)
    if (unanswered.size >= limit) return refuse(response)
    unanswered.set(response, process.uptime())
    response.once('close', () => unanswered.delete(response))
    return emit.apply(this, arguments)
  }

  function refuse(response) {
    webhooks.refused++
    response.writeHead(503, { 'Retry-After': '5' }).end('n8n has as many webhooks to answer as it can hold.')
    if (process.uptime() - warnedAt > 60) {
      warnedAt = process.uptime()
      console.warn(`n8n-tuned: ${limit} webhooks are unanswered; refuseExcessWebhooks answers others with status 503.`)
    }
    return true
  }
}
