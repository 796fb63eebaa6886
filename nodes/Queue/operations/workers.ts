import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import type { Queue } from '../../bull/queue'
import { readWorkers } from '../../bull/workers'

export const option: INodePropertyOptions = {
  name: 'List Workers',
  value: 'workers',
  description: 'Which workers are connected; needs the right to CLIENT LIST',
  action: 'List connected workers',
}

export const description: INodeProperties[] = []

export async function execute(queue: Queue): Promise<IDataObject> {
  const workers = await readWorkers(queue)
  return { workers: workers.length, workersConnected: workers.map((worker) => ({ ...worker })) }
}
