import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { getChoice, getNumber } from '../parameters'
import { pause } from '../pause'
import { report } from '../report'

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
/** What a timer of Node can hold; beyond it fires at once. */
const LONGEST = 2 ** 31 - 1

export async function execute(this: IExecuteFunctions, index: number): Promise<IDataObject> {
  const unit = UNITS[getChoice(this, index, 'waitUnit', 'Unit', ['milliseconds', 'seconds'])]
  const max = Math.floor(LONGEST / unit)
  const ms = unit * getNumber(this, index, { name: 'waitDuration', label: 'Duration', min: 0, max })

  const started = performance.now()
  const cancelled = await pause(this, ms)
  return report('wait', started, { waitMs: ms, ...(cancelled && { cancelled }) })
}
