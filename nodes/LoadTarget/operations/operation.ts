import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

import type { Done, Task } from '../task'

/** What each file of this folder exports. */
export interface Operation {
  option: INodePropertyOptions
  description: INodeProperties[]
  execute(task: Task): Promise<Done>
}

/** The parameters of all of them, each shown only while its operation is the chosen one. */
export const descriptionsOf = (operations: Operation[]): INodeProperties[] =>
  operations.flatMap(({ option, description }) =>
    description.map((property) => ({
      ...property,
      displayOptions: { show: { ...property.displayOptions?.show, operation: [option.value] } },
    })),
  )
