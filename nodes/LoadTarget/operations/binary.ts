import { randomBytes } from 'node:crypto'

import type { IBinaryData, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import { allowLarge, getNumber } from '../parameters'
import { milliseconds, report } from '../report'
import type { Done, Task } from '../task'

export const option: INodePropertyOptions = {
  name: 'Make a File',
  value: 'binary',
  description: "Put a file of the given size into n8n's store of binary data, and read it again",
  action: 'Make a file',
}

export const description: INodeProperties[] = [
  {
    displayName: 'Size (KiB)',
    name: 'binarySize',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 1024,
    description: 'Size of the file; its content is random, so nothing compresses it',
  },
  {
    displayName: 'Read It Again',
    name: 'binaryRead',
    type: 'boolean',
    default: true,
    description: 'Whether to read the file back from the store, as a node that uses it does',
  },
  allowLarge,
]

export async function execute(task: Task): Promise<Done> {
  const { helpers } = task.context
  const kibibytes = getNumber(task, {
    name: 'binarySize',
    label: 'Size',
    min: 0,
    max: 1_048_576,
    large: 65_536,
    integer: true,
  })
  const content = randomBytes(kibibytes * 1024)

  const started = performance.now()
  const data = await helpers.prepareBinaryData(content, 'load-target.bin', 'application/octet-stream')
  const storedMs = milliseconds(performance.now() - started)
  const bytes = task.get('binaryRead') === true ? await read(task, data) : undefined

  const { json } = report('binary', started, { kibibytes, storedMs, ...(bytes !== undefined && { readBytes: bytes }) })
  return { json, binary: { data } }
}

/** With an ID, the file is in the store; without a store, n8n keeps it in the item itself. */
async function read({ context: { helpers } }: Task, data: IBinaryData): Promise<number> {
  if (!data.id) return Buffer.from(data.data, 'base64').length
  return (await helpers.binaryToBuffer(await helpers.getBinaryStream(data.id))).length
}
