import type { ICredentialType, INodeProperties } from 'n8n-workflow'

const where = (...connections: string[]): INodeProperties['displayOptions'] => ({ show: { connection: connections } })
const withTls: INodeProperties['displayOptions'] = { show: { ssl: [true] } }

/** The Redis of an n8n in queue mode: all that n8n itself is told of it, each with the name of its variable. */
export class N8nQueueRedis implements ICredentialType {
  name = 'n8nQueueRedis'

  displayName = 'n8n Queue Redis'

  // n8n 0.x loads no other form; its own ground serves both themes.
  icon = 'file:../nodes/Queue/queue.svg' as const

  documentationUrl = 'https://github.com/n8n-tuned/n8n-tuned/blob/main/docs/nodes.md#the-credential'

  properties: INodeProperties[] = [
    {
      displayName: 'Connection',
      name: 'connection',
      type: 'options',
      options: [
        { name: 'Cluster', value: 'cluster', description: 'Where n8n has QUEUE_BULL_REDIS_CLUSTER_NODES' },
        { name: 'Sentinel', value: 'sentinel', description: 'Ask Sentinel for the address of the master' },
        { name: 'Server', value: 'server', description: 'One address' },
      ],
      default: 'server',
    },
    {
      displayName: 'Host',
      name: 'host',
      type: 'string',
      displayOptions: where('server'),
      default: 'localhost',
      description: 'QUEUE_BULL_REDIS_HOST',
    },
    {
      displayName: 'Port',
      name: 'port',
      type: 'number',
      displayOptions: where('server'),
      default: 6379,
      description: 'QUEUE_BULL_REDIS_PORT',
    },
    {
      displayName: 'Cluster Nodes',
      name: 'clusterNodes',
      type: 'string',
      displayOptions: where('cluster'),
      default: '',
      placeholder: 'redis-0:6379,redis-1:6379',
      description: 'QUEUE_BULL_REDIS_CLUSTER_NODES',
    },
    {
      displayName: 'Sentinels',
      name: 'sentinels',
      type: 'string',
      displayOptions: where('sentinel'),
      default: '',
      placeholder: 'sentinel-0:26379,sentinel-1:26379',
      description: 'The addresses of the Sentinels, with commas between them',
    },
    {
      displayName: 'Master Name',
      name: 'masterName',
      type: 'string',
      displayOptions: where('sentinel'),
      default: 'mymaster',
      description: 'The name under which Sentinel knows the master',
    },
    {
      displayName: 'Sentinel User',
      name: 'sentinelUser',
      type: 'string',
      displayOptions: where('sentinel'),
      default: '',
      description: 'The user of the Sentinels themselves, if they have one',
    },
    {
      displayName: 'Sentinel Password',
      name: 'sentinelPassword',
      type: 'string',
      typeOptions: { password: true },
      displayOptions: where('sentinel'),
      default: '',
      description: 'The password of the Sentinels themselves, if they have one',
    },
    {
      displayName: 'Database Number',
      name: 'database',
      type: 'number',
      displayOptions: where('server', 'sentinel'),
      default: 0,
      description: 'QUEUE_BULL_REDIS_DB',
    },
    {
      displayName: 'User',
      name: 'user',
      type: 'string',
      default: '',
      description: 'QUEUE_BULL_REDIS_USERNAME; leave it empty for the default user',
    },
    {
      displayName: 'Password',
      name: 'password',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'QUEUE_BULL_REDIS_PASSWORD',
    },
    {
      displayName: 'TLS',
      name: 'ssl',
      type: 'boolean',
      default: false,
      description: 'Whether to connect with TLS, as with QUEUE_BULL_REDIS_TLS; to Sentinels too',
    },
    {
      displayName: 'TLS CA Certificate',
      name: 'tlsCa',
      type: 'string',
      typeOptions: { rows: 3 },
      displayOptions: withTls,
      default: '',
      placeholder: '-----BEGIN CERTIFICATE-----',
      description: 'The authority to trust, in PEM, where Redis has a certificate of your own making',
    },
    {
      displayName: 'TLS Server Name',
      name: 'tlsServerName',
      type: 'string',
      displayOptions: withTls,
      default: '',
      description: 'QUEUE_BULL_REDIS_TLS_SERVERNAME: the name in the certificate, where it is not the host',
    },
    {
      displayName: 'Disable TLS Verification (Insecure)',
      name: 'disableTlsVerification',
      type: 'boolean',
      displayOptions: withTls,
      default: false,
      description: 'Whether to accept any certificate',
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
  ]
}
