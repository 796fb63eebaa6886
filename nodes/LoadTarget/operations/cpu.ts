import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { burn, count } from '../burn'
import { getChoice, getNumber } from '../parameters'
import { milliseconds, report } from '../report'

export const option: INodePropertyOptions = {
  name: 'Burn CPU',
  value: 'cpu',
  description: 'Keep a CPU busy, as computing does: nothing else runs in this process meanwhile',
  action: 'Burn CPU',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Amount Is',
    name: 'cpuAmount',
    type: 'options',
    options: [
      { name: 'CPU Time', value: 'time', description: 'The same CPU time on any machine: a faster one does more in it' },
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
]

export async function execute(this: IExecuteFunctions, index: number): Promise<IDataObject> {
  const amount = getChoice(this, index, 'cpuAmount', 'Amount Is', ['time', 'count'])

  if (amount === 'count') {
    const to = getNumber(this, index, { name: 'cpuCount', label: 'Count To', min: 0, max: 1e12, integer: true })
    const started = performance.now()
    return report('cpu', started, { counted: count(to) })
  }

  const ms = getNumber(this, index, { name: 'cpuTime', label: 'CPU Time', min: 0, max: 3_600_000 })
  const started = performance.now()
  return report('cpu', started, { cpuMs: ms, burntMs: milliseconds(burn(ms)) })
}
