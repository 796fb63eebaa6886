import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { readOldest } from '../../bull/jobs'
import type { Queue } from '../../bull/queue'

export const option: INodePropertyOptions = {
  name: 'Find the Oldest Waiting Job',
  value: 'oldest',
  description: 'Which execution has waited longest, and how long',
  action: 'Find the oldest waiting job',
}

export const description: INodeProperties[] = []

export async function execute(queue: Queue): Promise<IDataObject> {
  const oldest = await readOldest(queue)
  return { oldestWaitingSeconds: oldest?.ageSeconds ?? 0, oldestWaiting: oldest ? { ...oldest } : null }
}
