import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow'

import { descriptions, operations } from './operations'
import { router } from './router'

// n8n 0.x has no NodeConnectionTypes and 2.x no longer has the enum: the string itself works in both.
const MAIN = 'main' as const

export class LoadTarget implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Load Target',
    name: 'loadTarget',
    icon: 'file:loadTarget.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Do exactly the work it is told, to find out what this n8n can carry',
    defaults: { name: 'Load Target' },
    inputs: [MAIN],
    outputs: [MAIN],
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
