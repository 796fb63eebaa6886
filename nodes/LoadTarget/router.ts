import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow'

import { executors } from './operations'

/** Runs the selected operation once for each input item. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const results: INodeExecutionData[] = []

  for (let index = 0; index < this.getInputData().length; index++) {
    try {
      const operation = this.getNodeParameter('operation', index) as string
      const execute = executors.get(operation)
      if (!execute) {
        throw new Error(
          `Expected Operation to be one of ${[...executors.keys()].join(', ')}, got ${JSON.stringify(operation)}`,
        )
      }
      const done = await execute({ context: this, index, get: (name) => this.getNodeParameter(name, index, undefined) })
      results.push({ ...done, pairedItem: { item: index } })
    } catch (error) {
      if (!this.continueOnFail()) {
        throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: index })
      }
      results.push({ json: { error: (error as Error).message }, pairedItem: { item: index } })
    }
  }

  return results
}
