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

function unreachable({ nodes }: Settings, cause: Error): Error {
  return new Error(
    `Expected Redis at ${nodes.map(({ host, port }) => `${host}:${port}`).join(', ')} to answer, got: ${cause.message}`,
  )
}

function create({ nodes, cluster, db, username, password, tls }: Settings): Client {
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
  if (!cluster) return new Redis({ ...options, ...nodes[0]!, db })
  return new Cluster(nodes, {
    redisOptions: options,
    clusterRetryStrategy: () => null,
    slotsRefreshTimeout: PATIENCE_MS,
    enableReadyCheck: false,
    lazyConnect: true,
  })
}
