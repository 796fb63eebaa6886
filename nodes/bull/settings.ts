import type {
  ICredentialDataDecryptedObject,
  IDataObject,
  INodeCredentialDescription,
  INodeProperties,
} from 'n8n-workflow'

/** The address of a queue, and how to connect to it. */
export interface Settings {
  /** Several addresses, or `cluster`, if Redis is a cluster. */
  nodes: { host: string; port: number }[]
  cluster: boolean
  db: number
  username?: string
  password?: string
  tls?: { rejectUnauthorized: boolean; ca?: string; servername?: string }
  /** The prefix of every key of the queue, with its colon. */
  prefix: string
  /** The name that Bull gives the connection on which a worker waits for jobs. */
  workerName: string
}

export const credentials: INodeCredentialDescription[] = [{ name: 'redis', required: true }]

/**
 * Settings that n8n's own `redis` credential does not have. Each has the name of the n8n variable that it must equal.
 */
export const description: INodeProperties = {
  displayName: 'Queue Settings',
  name: 'settings',
  type: 'collection',
  placeholder: 'Add Setting',
  default: {},
  description: 'Where this n8n was given other settings than its defaults',
  options: [
    {
      displayName: 'Cluster Nodes',
      name: 'clusterNodes',
      type: 'string',
      default: '',
      placeholder: 'redis-0:6379,redis-1:6379',
      description: "QUEUE_BULL_REDIS_CLUSTER_NODES; takes the place of the credential's host and port",
    },
    {
      displayName: 'Prefix',
      name: 'prefix',
      type: 'string',
      default: 'bull',
      description: 'QUEUE_BULL_PREFIX',
    },
    {
      displayName: 'Queue Name',
      name: 'queueName',
      type: 'string',
      default: 'jobs',
      description: 'The queue of n8n is jobs; that of a worker pool is jobs-NAME',
    },
    {
      displayName: 'TLS',
      name: 'tls',
      type: 'boolean',
      default: true,
      description: 'Whether to use TLS, for n8n 0.x whose credential does not ask',
    },
    {
      displayName: 'TLS CA Certificate',
      name: 'tlsCa',
      type: 'string',
      typeOptions: { rows: 3 },
      default: '',
      placeholder: '-----BEGIN CERTIFICATE-----',
      description: 'Whom to trust, where Redis has a certificate of your own making',
    },
    {
      displayName: 'TLS Server Name',
      name: 'tlsServerName',
      type: 'string',
      default: '',
      description: 'QUEUE_BULL_REDIS_TLS_SERVER_NAME: the name in the certificate, where it is not the host',
    },
    {
      displayName: 'User',
      name: 'user',
      type: 'string',
      default: '',
      description: 'QUEUE_BULL_REDIS_USERNAME, for n8n 0.x whose credential does not ask',
    },
  ],
}

export function readSettings(credential: ICredentialDataDecryptedObject, given: IDataObject): Settings {
  const text = (value: unknown) => String(value ?? '').trim() || undefined
  const clusterNodes = text(given.clusterNodes)
  // Bull treats an empty prefix as no prefix.
  const prefix = text(given.prefix) ?? 'bull'
  const queue = text(given.queueName) ?? 'jobs'
  // n8n also adds the braces: they keep all keys of a queue on one node of the cluster.
  const keyPrefix = clusterNodes ? prefix.replace(/^\{?/, '{').replace(/\}?$/, '}') : prefix

  return {
    nodes: clusterNodes
      ? clusterNodes.split(',').map(parseNode)
      : [{ host: text(credential.host) ?? 'localhost', port: Number(credential.port ?? 6379) }],
    cluster: clusterNodes !== undefined,
    db: Number(credential.database ?? 0),
    username: text(given.user) ?? text(credential.user),
    password: text(credential.password),
    ...((given.tls ?? credential.ssl) === true && {
      tls: {
        rejectUnauthorized: credential.disableTlsVerification !== true,
        ca: text(given.tlsCa),
        servername: text(given.tlsServerName),
      },
    }),
    prefix: `${keyPrefix}:${queue}:`,
    workerName: `${keyPrefix}:${Buffer.from(queue).toString('base64')}`,
  }
}

function parseNode(node: string): { host: string; port: number } {
  const [, host, port] = /^\s*(.+):(\d+)\s*$/.exec(node) ?? []
  if (!host) throw new Error(`Expected Cluster Nodes to be like host:port,host:port, got ${JSON.stringify(node)}`)
  return { host, port: Number(port) }
}
