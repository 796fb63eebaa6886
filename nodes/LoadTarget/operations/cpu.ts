import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { burn, count } from '../burn'
import { allowLarge, getChoice, getNumber } from '../parameters'
import { milliseconds, report } from '../report'
import { inSlices, SLICE_MS } from '../slices'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Burn CPU',
  value: 'cpu',
  description: 'Keep a CPU busy, as computing does: nothing else runs in this process for half a second at a time',
  action: 'Burn CPU',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Amount Is',
    name: 'cpuAmount',
    type: 'options',
    options: [
      {
        name: 'CPU Time',
        value: 'time',
        description: 'The same CPU time on any machine: a faster one does more in it',
      },
      { name: 'Loop Count', value: 'count', description: 'The same work on any machine: a faster one is done sooner' },
    ],
    default: 'time',
    description: 'What says when to stop',
  },
  {
    displayName: 'CPU Time (Ms)',
    name: 'cpuTime',
    type: 'number',
    typeOptions: { minValue: 0 },
    displayOptions: { show: { cpuAmount: ['time'] } },
    default: 20,
    description: 'Milliseconds of CPU time to use; takes longer than that where the CPU is shared or limited',
  },
  {
    displayName: 'Count To',
    name: 'cpuCount',
    type: 'number',
    typeOptions: { minValue: 0 },
    displayOptions: { show: { cpuAmount: ['count'] } },
    default: 5000000,
    description: 'How far to count, one by one',
  },
  allowLarge,
]

/** Takes a quarter to half a second. */
const COUNT_SLICE = 5e8

export async function execute(task: Task): Promise<Done> {
  const amount = getChoice(task, 'cpuAmount', 'Amount Is', ['time', 'count'])
  return amount === 'count' ? await countTo(task) : await burnTime(task)
}

async function countTo(task: Task): Promise<Done> {
  const to = getNumber(task, { name: 'cpuCount', label: 'Count To', min: 0, max: 1e12, large: 1e11, integer: true })
  const started = performance.now()
  let counted = 0
  const cancelled = await inSlices(task.context, () => {
    counted += count(Math.min(COUNT_SLICE, to - counted))
    return counted < to
  })
  return report('cpu', started, { counted, ...(cancelled && { cancelled }) })
}

async function burnTime(task: Task): Promise<Done> {
  const cpuMs = getNumber(task, { name: 'cpuTime', label: 'CPU Time', min: 0, max: 3_600_000, large: 60_000 })
  const started = performance.now()
  let burnt = 0
  const cancelled = await inSlices(task.context, () => {
    burnt += burn(Math.min(SLICE_MS, cpuMs - burnt))
    return burnt < cpuMs
  })
  return report('cpu', started, { cpuMs, burntMs: milliseconds(burnt), ...(cancelled && { cancelled }) })
}
