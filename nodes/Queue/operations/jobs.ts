import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { readJobs } from '../../bull/jobs'
import type { Queue } from '../../bull/queue'

export const option: INodePropertyOptions = {
  name: 'List Jobs',
  value: 'jobs',
  description: 'Which executions wait and run',
  action: 'List jobs',
}

export const description: INodeProperties[] = []

export async function execute(queue: Queue): Promise<IDataObject> {
  const [waiting, active] = await Promise.all([
    readJobs(queue, 'wait', 'paused'),
    readJobs(queue, 'claiming', 'active'),
  ])
  return { waitingJobs: waiting.map((job) => ({ ...job })), activeJobs: active.map((job) => ({ ...job })) }
}
