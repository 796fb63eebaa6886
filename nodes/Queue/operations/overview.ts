import type { Operation } from './operation'

/** The output of these, in one item. */
export function overviewOf(others: Operation[]): Operation {
  return {
    option: {
      name: 'Get an Overview',
      value: 'overview',
      description: 'Everything the other operations tell, without the list of jobs',
      action: 'Get an overview of the queue',
    },
    description: [],
    async execute(queue, context, index) {
      const parts = await Promise.all(others.map((other) => other.execute(queue, context, index)))
      return Object.assign({}, ...parts)
    },
  }
}
