import { setTimeout as sleep } from 'node:timers/promises'

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { holdBuffers, holdHeap, release } from '../hold'
import { allowLarge, getChoice, getNumber } from '../parameters'
import { pause } from '../pause'
import { report } from '../report'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Hold Memory',
  value: 'memory',
  description: 'Take memory, hold it for a time, and give it back',
  action: 'Hold memory',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Size (MiB)',
    name: 'memorySize',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 64,
    description: 'How much memory to hold',
  },
  {
    displayName: 'Kind',
    name: 'memoryKind',
    type: 'options',
    options: [
      {
        name: 'Buffers',
        value: 'buffers',
        description: 'Outside the heap, where files and network data are: only the limit of the container ends it',
      },
      {
        name: 'Heap',
        value: 'heap',
        description: 'On the JavaScript heap, where the data of workflows is: above the heap limit n8n crashes',
      },
    ],
    default: 'heap',
    description: 'Where to hold it',
  },
  {
    displayName: 'Hold For (Seconds)',
    name: 'memoryTime',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 1,
    description: 'How long to hold it',
  },
  allowLarge,
]

export async function execute(task: Task): Promise<Done> {
  const mebibytes = getNumber(task, { name: 'memorySize', label: 'Size', min: 0, max: 65_536, large: 1024 })
  const kind = getChoice(task, 'memoryKind', 'Kind', ['heap', 'buffers'])
  const seconds = getNumber(task, { name: 'memoryTime', label: 'Hold For', min: 0, max: 86_400 })

  const started = performance.now()
  const held = kind === 'heap' ? holdHeap(mebibytes) : holdBuffers(mebibytes)
  const holding = rssMiB()
  const cancelled = await pause(task.context, seconds * 1000)
  release(held)
  await below(holding - mebibytes * 0.9)

  return report('memory', started, {
    heldMiB: mebibytes,
    kind,
    seconds,
    rssMiB: { holding: Math.round(holding), released: Math.round(rssMiB()) },
    ...(cancelled && { cancelled }),
  })
}

const rssMiB = () => process.memoryUsage.rss() / 2 ** 20

/** V8 hands collected memory back to the system on other threads, within a few 10 ms. */
async function below(mebibytes: number): Promise<void> {
  const patience = performance.now() + 500
  while (rssMiB() > mebibytes && performance.now() < patience) await sleep(5)
}
