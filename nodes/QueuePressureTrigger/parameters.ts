import type { INodeProperties, ITriggerFunctions } from 'n8n-workflow'

import type { Rules } from './pressure'

export interface Capacity {
  /** How many executions fit, if the user gives that number. */
  fixed?: number
  perWorker: number
}

export interface Parameters {
  capacity: Capacity
  rules: Rules
  everyMs: number
}

export const description: INodeProperties[] = [
  {
    displayName: 'Capacity Is',
    name: 'capacityIs',
    type: 'options',
    options: [
      { name: 'Fixed', value: 'fixed', description: 'A number that you give' },
      {
        name: 'Workers × Concurrency',
        value: 'workers',
        description: 'Follows the workers that are connected; needs the right to CLIENT LIST',
      },
    ],
    default: 'workers',
    description: 'How many executions can run at once',
  },
  {
    displayName: 'Concurrency of a Worker',
    name: 'concurrency',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { capacityIs: ['workers'] } },
    default: 10,
    description: 'What the workers were started with: N8N_CONCURRENCY_PRODUCTION_LIMIT or --concurrency, 10 by default',
  },
  {
    displayName: 'Capacity',
    name: 'capacity',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { capacityIs: ['fixed'] } },
    default: 10,
    description: 'How many executions can run at once',
  },
  {
    displayName: 'Start Above',
    name: 'over',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 2,
    description:
      'Pressure: waiting and active executions against the capacity. At 1 everything is in use and nothing waits.',
  },
  {
    displayName: 'For (Seconds)',
    name: 'overSeconds',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 30,
    description: 'How long pressure has to stay above that',
  },
  {
    displayName: 'Recovered At',
    name: 'under',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 1,
    description: 'At or below this pressure the queue has recovered, and the workflow starts again',
  },
  {
    displayName: 'Recovered For (Seconds)',
    name: 'underSeconds',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 30,
    description: 'How long pressure has to stay at or below that',
  },
  {
    displayName: 'Look Every (Seconds)',
    name: 'everySeconds',
    type: 'number',
    typeOptions: { minValue: 0.1, numberPrecision: 1 },
    default: 5,
    description: 'How often to read the queue',
  },
]

export function readParameters(context: ITriggerFunctions): Parameters {
  const number = (name: string, label: string, min: number, max = 1e9) => {
    const value = context.getNodeParameter(name) as unknown
    if (typeof value !== 'number' || !(value >= min && value <= max)) {
      throw new Error(`Expected ${label} to be a number from ${min} to ${max}, got ${JSON.stringify(value)}`)
    }
    return value
  }
  const isFixed = context.getNodeParameter('capacityIs') === 'fixed'
  const over = number('over', 'Start Above', 0)
  return {
    capacity: {
      ...(isFixed && { fixed: number('capacity', 'Capacity', 1) }),
      perWorker: isFixed ? 1 : number('concurrency', 'Concurrency of a Worker', 1),
    },
    rules: {
      over,
      // Otherwise the same pressure would start and end an alarm at once.
      under: number('under', 'Recovered At', 0, over),
      overMs: 1000 * number('overSeconds', 'For', 0, 86_400),
      underMs: 1000 * number('underSeconds', 'Recovered For', 0, 86_400),
    },
    everyMs: 1000 * number('everySeconds', 'Look Every', 0.1, 3600),
  }
}
