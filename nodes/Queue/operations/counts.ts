import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { readCounts } from '../../bull/counts'
import type { Queue } from '../../bull/queue'

export const option: INodePropertyOptions = {
  name: 'Count Jobs',
  value: 'counts',
  description: 'How many executions wait, run, and so on',
  action: 'Count jobs by state',
}

export const description: INodeProperties[] = []

export async function execute(queue: Queue): Promise<IDataObject> {
  return { ...(await readCounts(queue)) }
}
