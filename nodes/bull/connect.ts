import { Cluster, Redis } from './ioredis'
import type { Settings } from './settings'

export type Client = Redis | Cluster

const PATIENCE_MS = 5000

/**
 * Connects, or says why not. A connection that is lost later stays lost: `client` emits `end`, its commands fail,
 * and the nodes say so instead of waiting for Redis in silence.
 */
export async function connect(settings: Settings): Promise<Client> {
  const client = create(settings)
  // ioredis reports the cause only here; its commands later fail only because the connection is closed.
  let cause: Error | undefined
  client.on('error', (error: Error & { lastNodeError?: Error }) => (cause = error.lastNodeError ?? error))
  try {
    await client.connect()
    await client.ping()
    // Refused credentials and databases only show here.
    if (cause) throw cause
    return client
  } catch (error) {
    client.disconnect()
    throw unreachable(settings, cause ?? (error as Error))
  }
}

function unreachable({ nodes, sentinel }: Settings, cause: Error): Error {
  const addresses = nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
  const redis = sentinel ? `master ${sentinel.masterName} of the Sentinels at ${addresses}` : `Redis at ${addresses}`
  // What ioredis says before the last error of a Sentinel tells nothing; of a closed connection it does not keep why.
  const message = cause.message
    .replace(/^All sentinels are unreachable.*Last error: /, '')
    .replace(/^Connection is closed\.$/, 'nobody listens there, or the connection was closed')
  if (/WRONGPASS|NOAUTH|invalid password/i.test(message)) {
    return new Error(`Wrong password, or wrong user: ${redis} refused them (${message})`)
  }
  return new Error(`Expected ${redis} to answer, got: ${message}`)
}

function create({ nodes, cluster, sentinel, db, username, password, tls }: Settings): Client {
  const options = {
    username,
    password,
    tls,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    // The check uses INFO, which a user with read access only may not be allowed to run.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
  }
  if (sentinel) {
    return new Redis({
      ...options,
      db,
      sentinels: nodes,
      name: sentinel.masterName,
      sentinelUsername: sentinel.username,
      sentinelPassword: sentinel.password,
      sentinelCommandTimeout: PATIENCE_MS,
      sentinelRetryStrategy: () => null,
      enableTLSForSentinelMode: tls !== undefined,
      sentinelTLS: tls,
    })
  }
  if (!cluster) return new Redis({ ...options, ...nodes[0]!, db })
  return new Cluster(nodes, {
    redisOptions: options,
    clusterRetryStrategy: () => null,
    slotsRefreshTimeout: PATIENCE_MS,
    enableReadyCheck: false,
    lazyConnect: true,
  })
}
