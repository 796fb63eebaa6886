import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow'

import { connectToQueue, credentials, description as settings } from '../bull/credential'
import { descriptions, operations } from './operations'
import { router } from './router'

export class Queue implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'n8n Queue',
    name: 'queue',
    // n8n 0.x loads no other form; its own ground serves both themes.
    // eslint-disable-next-line @n8n/community-nodes/icon-prefer-themed-variants
    icon: 'file:queue.svg',
    group: ['input'],
    version: [1, 2],
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Read the queue of an n8n in queue mode, without changing it',
    defaults: { name: 'n8n Queue' },
    /* eslint-disable @n8n/community-nodes/node-connection-type-literal -- n8n 0.x has no NodeConnectionTypes */
    inputs: ['main'],
    outputs: ['main'],
    /* eslint-enable */
    usableAsTool: true,
    credentials,
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        options: operations,
        default: 'overview',
      },
      ...descriptions,
      settings,
    ],
  }

  methods = { credentialTest: { connectToQueue } }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await router.call(this)]
  }
}
