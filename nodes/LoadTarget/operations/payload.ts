import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { allowLarge, getChoice, getNumber } from '../parameters'
import { report } from '../report'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Make Payload',
  value: 'payload',
  description: 'Put out an item whose JSON has exactly the given size, to load what stores and passes it on',
  action: 'Make a payload',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Size (KiB)',
    name: 'payloadSize',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 64,
    description: 'Size of the whole item, written as JSON',
  },
  {
    displayName: 'Shape',
    name: 'payloadShape',
    type: 'options',
    options: [
      { name: 'One Text', value: 'text', description: 'A single long text: cheap to read and write' },
      {
        name: 'Records',
        value: 'records',
        description: 'Many small objects, as lists out of an API or a database are',
      },
    ],
    default: 'records',
    description: 'What the JSON consists of',
  },
  allowLarge,
]

export async function execute(task: Task): Promise<Done> {
  const kibibytes = getNumber(task, {
    name: 'payloadSize',
    label: 'Size',
    min: 1,
    max: 262_144,
    large: 16_384,
    integer: true,
  })
  const shape = getChoice(task, 'payloadShape', 'Shape', ['records', 'text'])

  const started = performance.now()
  // The report's own fields, and an empty list and text, need some of the space.
  const room = kibibytes * 1024 - 512
  const records = shape === 'records' ? recordsWithin(room) : []
  const { json } = report('payload', started, { kibibytes, shape, records, text: '' })
  json.text = 'x'.repeat(kibibytes * 1024 - Buffer.byteLength(JSON.stringify(json)))
  return { json }
}

/** As many records as fit into `bytes` of JSON. */
function recordsWithin(bytes: number): IDataObject[] {
  const records: IDataObject[] = []
  for (let id = 1, left = bytes; ; id++) {
    const record = {
      id,
      name: `Customer ${id}`,
      email: `customer-${id}@example.com`,
      active: id % 3 !== 0,
      amount: (id * 37) % 1000,
      createdAt: new Date(1_600_000_000_000 + id * 60_000).toISOString(),
    }
    left -= JSON.stringify(record).length + 1
    if (left < 0) return records
    records.push(record)
  }
}
