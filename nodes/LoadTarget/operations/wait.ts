import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { getChoice, getNumber } from '../parameters'
import { LONGEST, pause } from '../pause'
import { report } from '../report'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Wait',
  value: 'wait',
  description: 'Let time pass without using the CPU, as a slow service would',
  action: 'Wait for a time',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Duration',
    name: 'waitDuration',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 5,
    description: 'How long to wait',
  },
  {
    displayName: 'Unit',
    name: 'waitUnit',
    type: 'options',
    options: [
      { name: 'Milliseconds', value: 'milliseconds' },
      { name: 'Seconds', value: 'seconds' },
    ],
    default: 'seconds',
    description: 'What the duration counts',
  },
]

const UNITS = { milliseconds: 1, seconds: 1000 }

export async function execute(task: Task): Promise<Done> {
  const unit = UNITS[getChoice(task, 'waitUnit', 'Unit', ['milliseconds', 'seconds'])]
  const max = Math.floor(LONGEST / unit)
  const ms = unit * getNumber(task, { name: 'waitDuration', label: 'Duration', min: 0, max })

  const started = performance.now()
  const cancelled = await pause(task.context, ms)
  return report('wait', started, { waitMs: ms, ...(cancelled && { cancelled }) })
}
