import type { IDataObject } from 'n8n-workflow'

import { chance, drawFor } from '../chance'
import { getNumber } from '../parameters'
import type { Done, Task } from '../task'
import { descriptionsOf, type Operation } from './operation'

interface Share {
  operation: Operation
  weight: number
  /** The same work, with the parameters of its share. */
  task: Task
}

/** Runs one of the other operations each time, as often as their weights say, like mixed real traffic. */
export function mixOf(others: Operation[]): Operation {
  return {
    option: {
      name: 'Mix',
      value: 'mix',
      description: 'Do one of the other operations each time, as often as their weights say',
      action: 'Mix several operations',
    },
    description: [
      {
        displayName: 'Shares',
        name: 'mixShares',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true, sortable: true },
        placeholder: 'Add Share',
        default: {},
        description: 'What the mix is made of',
        options: [
          {
            displayName: 'Share',
            name: 'share',
            values: [
              {
                displayName: 'Weight',
                name: 'weight',
                type: 'number',
                typeOptions: { minValue: 0 },
                default: 1,
                description: 'How often, against the weights of the others',
              },
              {
                displayName: 'Operation',
                name: 'operation',
                type: 'options',
                noDataExpression: true,
                options: others.map(({ option }) => option),
                default: 'wait',
              },
              ...descriptionsOf(others),
            ],
          },
        ],
      },
      ...chance,
    ],
    async execute(task: Task): Promise<Done> {
      const shares = readShares(task, others)
      const { operation, task: chosen } = pick(shares, drawFor(task, 'mix'))
      return await operation.execute(chosen)
    },
  }
}

function readShares(task: Task, others: Operation[]): Share[] {
  const { share = [] } = (task.get('mixShares') ?? {}) as { share?: IDataObject[] }
  const shares = share.map((parameters, number) => {
    const label = `of share ${number + 1}`
    const own = { ...task, get: (name: string) => parameters[name] }
    const operation = others.find(({ option }) => option.value === parameters.operation)
    if (!operation) {
      throw new Error(
        `Expected Operation ${label} to be one of ${others.map(({ option }) => option.value).join(', ')}, `
          + `got ${JSON.stringify(parameters.operation)}`,
      )
    }
    return {
      operation,
      weight: getNumber(own, { name: 'weight', label: `Weight ${label}`, min: 0, max: 1e9 }),
      task: own,
    }
  })
  if (!shares.some(({ weight }) => weight > 0))
    throw new Error('Expected at least one share with a weight above 0, got none')
  return shares
}

/** `drawn` is from 0 to 1, without 1: so a share of weight 0 is never picked. */
function pick(shares: Share[], drawn: number): Share {
  let left = drawn * shares.reduce((sum, { weight }) => sum + weight, 0)
  const weighty = shares.filter(({ weight }) => weight > 0)
  return weighty.find(({ weight }) => (left -= weight) < 0) ?? weighty[weighty.length - 1]!
}
