import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow'

import { settingsOf } from '../bull/credential'
import { openQueue } from '../bull/queue'
import { executors } from './operations'

/** Reads the queue once for each input item. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const results: INodeExecutionData[] = []

  for (let index = 0; index < this.getInputData().length; index++) {
    try {
      results.push({ json: await read.call(this, index), pairedItem: { item: index } })
    } catch (error) {
      if (!this.continueOnFail()) {
        const failure = new NodeOperationError(this.getNode(), error as Error, { itemIndex: index })
        // n8n 2 replaces the text of system errors with its own, which does not say which Redis.
        failure.message = (error as Error).message
        throw failure
      }
      results.push({ json: { error: (error as Error).message }, pairedItem: { item: index } })
    }
  }

  return results
}

async function read(this: IExecuteFunctions, index: number): Promise<IDataObject> {
  const operation = this.getNodeParameter('operation', index) as string
  const execute = executors.get(operation)
  if (!execute) {
    throw new Error(
      `Expected Operation to be one of ${[...executors.keys()].join(', ')}, got ${JSON.stringify(operation)}`,
    )
  }
  const given = this.getNodeParameter('settings', index, {}) as IDataObject
  const queue = await openQueue(await settingsOf(this, given, index))
  try {
    return await execute(queue, this, index)
  } finally {
    queue.close()
  }
}
