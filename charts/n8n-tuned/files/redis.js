// Functions for scripts that look into n8n's queue; the chart puts this file before them, and database.js before it.

/** A switch as n8n reads it. */
const isOn = (name) => ['true', '1'].includes((env[name] || '').toLowerCase())
const isOff = (name) => ['false', '0'].includes((env[name] || '').toLowerCase())

/** Connects to n8n's Redis with n8n's own driver and settings. What Redis does not answer at once fails. */
function connectRedis(require) {
  const { Cluster, Redis } = require('ioredis')
  const options = {
    username: env.QUEUE_BULL_REDIS_USERNAME,
    password: env.QUEUE_BULL_REDIS_PASSWORD,
    family: isOn('QUEUE_BULL_REDIS_DUALSTACK') ? 0 : undefined,
    tls: isOn('QUEUE_BULL_REDIS_TLS')
      ? {
          servername: env.QUEUE_BULL_REDIS_TLS_SERVERNAME || undefined,
          rejectUnauthorized: !isOff('QUEUE_BULL_REDIS_TLS_VALIDATE_CERTIFICATE'),
        }
      : undefined,
    connectTimeout: 5000,
    commandTimeout: 2000,
    maxRetriesPerRequest: 0,
  }
  const nodes = env.QUEUE_BULL_REDIS_CLUSTER_NODES
  const redis = nodes
    ? new Cluster(nodes.split(',').map(addressOf), {
        redisOptions: options,
        // Managed clusters answer with names, which their certificates have, and not their addresses.
        ...(env.QUEUE_BULL_REDIS_DNS_LOOKUP_STRATEGY === 'NONE' && { dnsLookup: (host, found) => found(null, host) }),
      })
    : new Redis({
        ...options,
        host: env.QUEUE_BULL_REDIS_HOST,
        port: Number(env.QUEUE_BULL_REDIS_PORT),
        db: Number(env.QUEUE_BULL_REDIS_DB || 0),
      })
  redis.on('error', () => {})
  return redis
}

function addressOf(node) {
  const { hostname, port } = new URL(`redis://${node}`)
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port) }
}

/** The key of a list or a job of n8n's queue. As n8n does, so that a cluster keeps all of them on one node. */
function queueKey(name) {
  const { QUEUE_BULL_REDIS_CLUSTER_NODES: nodes, QUEUE_BULL_PREFIX: prefix } = env
  return `${nodes && !prefix.startsWith('{') ? `{${prefix}}` : prefix}:jobs:${name}`
}
