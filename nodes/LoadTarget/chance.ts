import type { INodeProperties } from 'n8n-workflow'

import { draw } from './draw'
import { getNumber } from './parameters'
import type { Task } from './task'

/** For every operation with random numbers. */
export const chance: INodeProperties[] = [
  {
    displayName: 'Seed',
    name: 'seed',
    type: 'number',
    default: 1,
    description: 'The same seed and key always draw the same',
  },
  {
    displayName: 'Key',
    name: 'key',
    type: 'string',
    default: '',
    placeholder: '={{ $json.query.request }}',
    description: 'What is drawn for, such as the number of the request; empty for the execution and the item',
  },
]

/** A number from 0 to 1, drawn for this task. `purpose` keeps the draws of different operations apart. */
export function drawFor(task: Task, purpose: string): number {
  const seed = getNumber(task, { name: 'seed', label: 'Seed', min: -1e15, max: 1e15 })
  const given = task.get('key')
  const key =
    given === '' || given === undefined || given === null
      ? `${task.context.getExecutionId()}/${task.index}`
      : String(given)
  return draw(seed, `${purpose}/${key}`)
}
