// Answers the liveness probe of the worker beside it as n8n itself would, unless the queue stands. It stands if the
// same execution has waited first in line for STANDS_SECONDS, and no worker had one. Without an answer of Redis, n8n's
// own answer counts.
const http = require('http')
const { Cluster, Redis } = n8n()('ioredis')

const { QUEUE_BULL_REDIS_CLUSTER_NODES: nodes, QUEUE_BULL_PREFIX: prefix } = env
const options = {
  username: env.QUEUE_BULL_REDIS_USERNAME,
  password: env.QUEUE_BULL_REDIS_PASSWORD,
  tls: env.QUEUE_BULL_REDIS_TLS === 'true' ? {} : undefined,
  connectTimeout: 5000,
  commandTimeout: 2000,
  maxRetriesPerRequest: 0,
}
const redis = nodes
  ? new Cluster(nodes.split(',').map(addressOf), { redisOptions: options })
  : new Redis({
      ...options,
      host: env.QUEUE_BULL_REDIS_HOST,
      port: Number(env.QUEUE_BULL_REDIS_PORT),
      db: Number(env.QUEUE_BULL_REDIS_DB || 0),
    })
redis.on('error', () => {})

function addressOf(node) {
  const { hostname, port } = new URL(`redis://${node}`)
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port) }
}

// As n8n does, so that a cluster keeps all keys of the queue on one node.
const key = (list) => `${nodes && !prefix.startsWith('{') ? `{${prefix}}` : prefix}:jobs:${list}`

let first
let since = Date.now()
async function look() {
  const [active, [oldest]] = await Promise.all([redis.llen(key('active')), redis.lrange(key('wait'), -1, -1)])
  if (active === 0 && oldest !== undefined && oldest === first) return
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
