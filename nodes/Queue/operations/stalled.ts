import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { readStalled } from '../../bull/jobs'
import type { Queue } from '../../bull/queue'

export const option: INodePropertyOptions = {
  name: 'Find Stalled Jobs',
  value: 'stalled',
  description: 'Which executions run according to the queue while no worker holds on to them',
  action: 'Find stalled jobs',
}

export const description: INodeProperties[] = []

export async function execute(queue: Queue): Promise<IDataObject> {
  const stalled = await readStalled(queue)
  return { stalled: stalled.length, stalledJobs: stalled.map((job) => ({ ...job })) }
}
