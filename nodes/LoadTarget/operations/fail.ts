import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { chance, drawFor } from '../chance'
import { getChoice, getNumber } from '../parameters'
import { LONGEST, pause } from '../pause'
import { report } from '../report'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Fail',
  value: 'fail',
  description: 'Fail with a given probability, as a service does that has its bad moments',
  action: 'Fail now and then',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Probability (%)',
    name: 'failProbability',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 100 },
    default: 10,
    description: 'How many of a hundred fail',
  },
  {
    displayName: 'Fail By',
    name: 'failBy',
    type: 'options',
    options: [
      { name: 'Error', value: 'error', description: 'The node fails; its settings say what then happens' },
      { name: 'Slow Answer', value: 'slow', description: 'The node answers late, and well' },
    ],
    default: 'error',
    description: 'What a failure is',
  },
  {
    displayName: 'Slow Answer After (Ms)',
    name: 'failSlow',
    type: 'number',
    typeOptions: { minValue: 0 },
    displayOptions: { show: { failBy: ['slow'] } },
    default: 10000,
    description: 'Milliseconds until a slow answer',
  },
  ...chance,
]

export async function execute(task: Task): Promise<Done> {
  const probability = getNumber(task, { name: 'failProbability', label: 'Probability', min: 0, max: 100 })
  const by = getChoice(task, 'failBy', 'Fail By', ['error', 'slow'])
  const slow =
    by === 'slow' ? getNumber(task, { name: 'failSlow', label: 'Slow Answer After', min: 0, max: LONGEST }) : 0
  const failed = drawFor(task, 'fail') < probability / 100

  if (failed && by === 'error') throw new Error(`Failed as told: ${probability} of 100 do`)
  const started = performance.now()
  const cancelled = failed && (await pause(task.context, slow))
  return report('fail', started, { failed, ...(cancelled && { cancelled }) })
}
