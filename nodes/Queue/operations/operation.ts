import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import type { Queue } from '../../bull/queue'

/** The exports of each file of this folder. */
export interface Operation {
  option: INodePropertyOptions
  description: INodeProperties[]
  execute(queue: Queue, context: IExecuteFunctions, index: number): Promise<IDataObject>
}
