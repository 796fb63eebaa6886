import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow'

/** One piece of work: for one input item, with parameters of its own. */
export interface Task {
  context: IExecuteFunctions
  index: number
  /** A parameter, which may have come from an expression and so may be anything. */
  get(name: string): unknown
}

/** What an operation hands on. n8n's pairing is the router's affair. */
export type Done = Pick<INodeExecutionData, 'json' | 'binary'>
