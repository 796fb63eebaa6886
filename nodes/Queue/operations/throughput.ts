import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { readCounts } from '../../bull/counts'
import type { Queue } from '../../bull/queue'
import { lookFrom, throughputBetween, type Look } from '../../bull/throughput'
import { pause } from '../../LoadTarget/pause'

export const option: INodePropertyOptions = {
  name: 'Measure Throughput',
  value: 'throughput',
  description: 'How many executions come and go a second',
  action: 'Measure throughput',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Since',
    name: 'since',
    type: 'options',
    options: [
      {
        name: 'The Last Execution',
        value: 'last',
        description: 'N8n remembers the last look of an active workflow; the first has nothing to compare with',
      },
      { name: 'Some Seconds Ago', value: 'seconds', description: 'Looks twice; the node takes that long' },
    ],
    default: 'last',
    description: 'When the earlier of the two looks was',
  },
  {
    displayName: 'Seconds Between',
    name: 'seconds',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { since: ['seconds'] } },
    default: 10,
    description: 'Time between the two looks',
  },
]

export async function execute(queue: Queue, context: IExecuteFunctions, index: number): Promise<IDataObject> {
  const since = context.getNodeParameter('since', index) as string
  const earlier = since === 'seconds' ? await lookFirst(queue, context, index) : undefined
  const now = lookFrom(await readCounts(queue), Date.now())
  const throughput = throughputBetween(earlier ?? remember(queue, context, now), now)
  return { ...(throughput ?? { overSeconds: null, addedPerSecond: null, finishedPerSecond: null }) }
}

async function lookFirst(queue: Queue, context: IExecuteFunctions, index: number): Promise<Look> {
  const seconds = Number(context.getNodeParameter('seconds', index))
  if (!(seconds > 0 && seconds <= 3600))
    throw new Error(`Expected Seconds Between to be a number above 0 and up to 3600, got ${seconds}`)
  const look = lookFrom(await readCounts(queue), Date.now())
  await pause(context, seconds * 1000)
  return look
}

/** Stores this look for the next execution, and returns the look of the last one. Each item may read another queue. */
function remember({ settings }: Queue, context: IExecuteFunctions, now: Look): Look | undefined {
  const kept = context.getWorkflowStaticData('node') as { looks?: Record<string, Look> }
  const name = `${settings.nodes[0]!.host}:${settings.nodes[0]!.port}/${settings.db}/${settings.prefix}`
  const last = kept.looks?.[name]
  kept.looks = { ...kept.looks, [name]: now }
  return last
}
