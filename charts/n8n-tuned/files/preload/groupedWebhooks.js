// A busy n8n does a step of this webhook and then one of that, and each costs more than it would beside another of its kind.
// Here those that come while it is busy wait a moment for one another, begin together and go side by side.
const http = require('http')
const { eventLoopUtilization } = require('perf_hooks').performance

/** Nobody waits longer, in ms. */
const longest = 50
/** Parts of the time in which the event loop has something to do: up to `calm` nobody waits, and the full time from `busy` on. */
const calm = 0.5
const busy = 0.8
/** How far back that is seen, in ms. */
const span = 100

const path = `/${process.env.N8N_PATH ?? ''}/${process.env.N8N_ENDPOINT_WEBHOOK ?? 'webhook'}/`.replace(/\/{2,}/g, '/')
const emit = http.Server.prototype.emit
let begun = 0
let group = []
let look = { at: 0, loop: eventLoopUtilization(), wait: 0 }

http.Server.prototype.emit = function (event, request, response) {
  if (event !== 'request' || !request.url.startsWith(path)) return emit.apply(this, arguments)
  const begin = () => {
    begun++
    response.once('close', () => begun--)
    emit.apply(this, arguments)
  }
  const wait = waitNow()
  // A caller who asks again when it is answered would wait for itself alone.
  if (group.length === 0 && (wait < 1 || begun === 0)) begin()
  else if (group.push(begin) === 1) setTimeout(beginTogether, wait)
  return true
}

function beginTogether() {
  const together = group
  group = []
  for (const begin of together) begin()
}

function waitNow() {
  const at = performance.now()
  if (at - look.at >= span) {
    const loop = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(loop, look.loop)
    look = { at, loop, wait: longest * Math.min(1, Math.max(0, (utilization - calm) / (busy - calm))) }
  }
  return look.wait
}
