import {
  NodeConnectionTypes,
  type ICredentialDataDecryptedObject,
  type ICredentialsDecrypted,
  type ICredentialTestFunctions,
  type IDataObject,
  type IExecuteFunctions,
  type INodeCredentialDescription,
  type INodeCredentialTestResult,
  type INodeProperties,
  type ITriggerFunctions,
} from 'n8n-workflow'

import { readCounts } from './counts'
import { openQueue } from './queue'
import { readSettings, type Settings } from './settings'

/** Version 1 of the queue nodes takes n8n's own Redis credential, and what that lacks as settings of the node. */
const ofVersion1 = { show: { '@version': [1] } }
const ofVersion2 = { show: { '@version': [2] } }

/** n8n 0.x asks only its own nodes for the test of a credential, and calls any other credential untested: broken. */
const canTest = NodeConnectionTypes !== undefined

export const credentials: INodeCredentialDescription[] = [
  { name: 'redis', required: true, displayOptions: ofVersion1 },
  {
    name: 'n8nQueueRedis',
    required: true,
    displayOptions: ofVersion2,
    ...(canTest && { testedBy: 'connectToQueue' }),
  },
]

/**
 * Settings that n8n's own `redis` credential does not have. Each has the name of the n8n variable that it must equal.
 */
export const description: INodeProperties = {
  displayName: 'Queue Settings',
  name: 'settings',
  type: 'collection',
  placeholder: 'Add Setting',
  displayOptions: ofVersion1,
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
      description: 'QUEUE_BULL_REDIS_TLS_SERVERNAME: the name in the certificate, where it is not the host',
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

/** Of a node of either version. `given` are its Queue Settings, which only version 1 has. */
export async function settingsOf(
  context: IExecuteFunctions | ITriggerFunctions,
  given: IDataObject,
  index?: number,
): Promise<Settings> {
  return context.getNode().typeVersion >= 2
    ? readSettings((await context.getCredentials('n8nQueueRedis', index)) as IDataObject)
    : readSettings(inOne(await context.getCredentials('redis', index), given))
}

function inOne(credential: ICredentialDataDecryptedObject, given: IDataObject): IDataObject {
  const clusterNodes = String(given.clusterNodes ?? '').trim()
  return {
    ...(credential as IDataObject),
    ...given,
    connection: clusterNodes ? 'cluster' : 'server',
    user: given.user || credential.user,
    ssl: (given.tls ?? credential.ssl) === true,
  }
}

/** What "Test" in the editor's dialog does: connects, and reads what the nodes read. */
export async function connectToQueue(
  this: ICredentialTestFunctions,
  { data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  try {
    const queue = await openQueue(readSettings(data as IDataObject))
    try {
      const { waiting, active } = await readCounts(queue)
      return { status: 'OK', message: `Connected: ${waiting} waiting, ${active} active` }
    } finally {
      queue.close()
    }
  } catch (error) {
    return { status: 'Error', message: (error as Error).message }
  }
}
