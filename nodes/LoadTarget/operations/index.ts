import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import * as cpu from './cpu'
import * as memory from './memory'
import * as payload from './payload'
import * as wait from './wait'

interface Operation {
  option: INodePropertyOptions
  description: INodeProperties[]
  execute(this: IExecuteFunctions, index: number): Promise<IDataObject>
}

/** In the order of the editor's list, which its lint wants sorted by name. */
const all: Operation[] = [cpu, memory, payload, wait]

export const operations = all.map(({ option }) => option)

/** Each operation's parameters, shown only while it is the chosen one. */
export const descriptions = all.flatMap(({ option, description }) =>
  description.map((property) => ({
    ...property,
    displayOptions: { show: { ...property.displayOptions?.show, operation: [option.value] } },
  })),
)

export const executors = new Map(all.map(({ option, execute }) => [String(option.value), execute]))
