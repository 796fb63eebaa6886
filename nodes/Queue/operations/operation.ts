import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import type { Queue } from '../../bull/queue'

/** What each file of this folder exports. */
export interface Operation {
  option: INodePropertyOptions
  description: INodeProperties[]
  execute(queue: Queue, context: IExecuteFunctions, index: number): Promise<IDataObject>
}
