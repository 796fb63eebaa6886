import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow'

import { descriptions, operations } from './operations'
import { router } from './router'

export class LoadTarget implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Load Target',
    name: 'loadTarget',
    // n8n 0.x loads no other form; its own ground serves both themes.
    // eslint-disable-next-line @n8n/community-nodes/icon-prefer-themed-variants
    icon: 'file:loadTarget.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Do exactly the work it is told, to find out how many requests a second this n8n sustains',
    defaults: { name: 'Load Target' },
    /* eslint-disable @n8n/community-nodes/node-connection-type-literal -- n8n 0.x has no NodeConnectionTypes */
    inputs: ['main'],
    outputs: ['main'],
    /* eslint-enable */
    usableAsTool: true,
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        options: operations,
        default: 'wait',
      },
      ...descriptions,
    ],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await router.call(this)]
  }
}
