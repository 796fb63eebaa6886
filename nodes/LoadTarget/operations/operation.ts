import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import type { Done, Task } from '../task'

/** The exports of each file of this folder. */
export interface Operation {
  option: INodePropertyOptions
  description: INodeProperties[]
  execute(task: Task): Promise<Done>
}

/** The parameters of all operations, each shown only with its operation. */
export const descriptionsOf = (operations: Operation[]): INodeProperties[] =>
  operations.flatMap(({ option, description }) =>
    description.map((property) => ({
      ...property,
      displayOptions: { show: { ...property.displayOptions?.show, operation: [option.value] } },
    })),
  )
