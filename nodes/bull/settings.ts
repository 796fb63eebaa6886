import type { IDataObject } from 'n8n-workflow'

interface Address {
  host: string
  port: number
}

/** The address of a queue, and how to connect to it. */
export interface Settings {
  /** One server; all servers of a cluster; or the Sentinels that know the master. */
  nodes: Address[]
  cluster: boolean
  sentinel?: { masterName: string; username?: string; password?: string }
  db: number
  username?: string
  password?: string
  tls?: { rejectUnauthorized: boolean; ca?: string; servername?: string }
  /** The prefix of every key of the queue, with its colon. */
  prefix: string
  /** The name that Bull gives the connection on which a worker waits for jobs. */
  workerName: string
}

const text = (value: unknown) => String(value ?? '').trim() || undefined

/** Reads the fields of the credential `n8nQueueRedis`. */
export function readSettings(given: IDataObject): Settings {
  const cluster = given.connection === 'cluster'
  const viaSentinel = given.connection === 'sentinel'
  // Bull treats an empty prefix as no prefix.
  const prefix = text(given.prefix) ?? 'bull'
  const queue = text(given.queueName) ?? 'jobs'
  // n8n also adds the braces: they keep all keys of a queue on one node of the cluster.
  const keyPrefix = cluster ? prefix.replace(/^\{?/, '{').replace(/\}?$/, '}') : prefix

  return {
    nodes: cluster
      ? parseNodes('Cluster Nodes', given.clusterNodes)
      : viaSentinel
        ? parseNodes('Sentinels', given.sentinels)
        : [{ host: text(given.host) ?? 'localhost', port: Number(given.port ?? 6379) }],
    cluster,
    ...(viaSentinel && {
      sentinel: {
        masterName: text(given.masterName) ?? 'mymaster',
        username: text(given.sentinelUser),
        password: text(given.sentinelPassword),
      },
    }),
    db: cluster ? 0 : Number(given.database ?? 0),
    username: text(given.user),
    password: text(given.password),
    ...(given.ssl === true && {
      tls: {
        rejectUnauthorized: given.disableTlsVerification !== true,
        ca: text(given.tlsCa),
        servername: text(given.tlsServerName),
      },
    }),
    prefix: `${keyPrefix}:${queue}:`,
    workerName: `${keyPrefix}:${Buffer.from(queue).toString('base64')}`,
  }
}

function parseNodes(label: string, given: unknown): Address[] {
  return (text(given) ?? '').split(',').map((node) => {
    const [, host, port] = /^\s*(.+):(\d+)\s*$/.exec(node) ?? []
    if (!host) throw new Error(`Expected ${label} to be like host:port,host:port, got ${JSON.stringify(node)}`)
    return { host, port: Number(port) }
  })
}
