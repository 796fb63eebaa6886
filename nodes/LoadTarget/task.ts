import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow'

/** One piece of work: for one input item, with its own parameters. */
export interface Task {
  context: IExecuteFunctions
  index: number
  /** A parameter, which may come from an expression and so may have any type. */
  get(name: string): unknown
}

/** The output of an operation. The router sets n8n's paired items. */
export type Done = Pick<INodeExecutionData, 'json' | 'binary'>
