// Answers the liveness probe of the worker beside it as n8n itself would, unless the queue stands. It stands if the
// same execution has waited first in line for STANDS_SECONDS, and no worker had one. Without an answer of Redis, n8n's
// own answer counts.
const http = require('http')

const redis = connectRedis(n8n())

let first
let since = Date.now()
async function look() {
  const [active, claimed, [oldest]] = await Promise.all([
    redis.llen(queueKey('active')),
    redis.llen(queueKey('claiming')),
    redis.lrange(queueKey('wait'), -1, -1),
  ])
  if (active + claimed === 0 && oldest !== undefined && oldest === first) return
  first = oldest
  since = Date.now()
}
setInterval(() => look().catch(() => (since = Date.now())), 2000)

const stands = () => first !== undefined && Date.now() - since > 1000 * Number(env.STANDS_SECONDS)

http
  .createServer((_, answer) => {
    const say = (status, text) => answer.writeHead(status).end(text)
    if (stands()) {
      console.log(`execution ${first} has waited since ${new Date(since).toISOString()}, and no worker had one`)
      return say(503, 'the queue stands')
    }
    const own = { host: '127.0.0.1', port: Number(env.N8N_PORT_OF_WORKER), path: '/healthz' }
    http
      .get(own, ({ statusCode }) => say(statusCode))
      .on('error', ({ message }) => say(502, message))
  })
  .listen(Number(env.PROGRESS_PORT))
process.on('SIGTERM', () => process.exit(0))
