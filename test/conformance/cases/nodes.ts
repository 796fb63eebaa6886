import type { Area, Case } from '../case.ts'
import { chain, code, connect, node, set, webhook, workflow, type Node } from '../workflow.ts'

const items = code(`return [1, 2, 3].map((number) => ({ json: { number, even: number % 2 === 0 } }))`, 'Items')
const all = { responseData: 'allEntries' }
const asks =
  (path: string): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`))
const condition = (operator: object, leftValue: string, rightValue: unknown = '') => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
  conditions: [{ id: 'a', leftValue, rightValue, operator }],
  combinator: 'and',
})
const isEven = condition({ type: 'boolean', operation: 'true', singleValue: true }, '={{ $json.even }}')

const branches = () => {
  const [start, decides, yes, no] = [
    webhook('no-if', all),
    node('If', 'if', 2.2, { conditions: isEven, options: {} }),
    set({ is: 'even' }, 'Yes'),
    set({ is: 'odd' }, 'No'),
  ]
  const joined = node('Merge', 'merge', 3, {})
  const second = { [no.name]: { main: [[{ node: joined.name, type: 'main', index: 1 }]] } }
  return workflow(
    'no-if',
    [start, items, decides, yes, no, joined],
    [
      connect(start, [[items]]),
      connect(items, [[decides]]),
      connect(decides, [[yes], [no]]),
      connect(yes, [[joined]]),
      second,
    ],
  )
}

const loop = () => {
  const [start, batches, inside, after] = [
    webhook('no-loop', all),
    node('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} }),
    set({ doubled: '={{ $json.number * 2 }}' }, 'Inside'),
    set({ last: '={{ $json.doubled }}' }, 'After'),
  ]
  return workflow(
    'no-loop',
    [start, items, batches, inside, after],
    [
      connect(start, [[items]]),
      connect(items, [[batches]]),
      connect(batches, [[after], [inside]]),
      connect(inside, [[batches]]),
    ],
  )
}

const straight = (id: string, name: string, ...nodes: Node[]): Case => ({
  name,
  workflows: [chain(`no-${id}`, [webhook(`no-${id}`, all), items, ...nodes])],
  act: asks(`no-${id}`),
})

const http = (parameters: object) => node('Request', 'httpRequest', 4.2, { options: {}, ...parameters })

const cases: Case[] = [
  { name: 'branches that meet again', workflows: [branches()], act: asks('no-if') },
  { name: 'a loop', workflows: [loop()], act: asks('no-loop') },
  straight('filter', 'items are filtered', node('Filter', 'filter', 2.2, { conditions: isEven, options: {} })),
  straight(
    'sort',
    'items are sorted and cut',
    node('Sort', 'sort', 1, {
      sortFieldsUi: { sortField: [{ fieldName: 'number', order: 'descending' }] },
      options: {},
    }),
    node('Limit', 'limit', 1, { maxItems: 2 }),
  ),
  straight(
    'aggregate',
    'items are gathered',
    node('Aggregate', 'aggregate', 1, {
      fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'number' }] },
      options: {},
    }),
  ),
  straight(
    'request',
    'a request for each item',
    http({
      method: 'POST',
      url: 'http://outside/echo',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify({ number: $json.number }) }}',
    }),
  ),
  straight(
    'date',
    'dates are written',
    node('Date', 'dateTime', 2, {
      operation: 'formatDate',
      date: '2024-02-29T12:00:00Z',
      format: 'custom',
      customFormat: 'dd.LL.yyyy',
      options: {},
    }),
  ),
  straight(
    'hash',
    'texts are hashed',
    node('Crypto', 'crypto', 1, {
      action: 'hash',
      type: 'SHA256',
      value: '={{ String($json.number) }}',
      dataPropertyName: 'hash',
    }),
  ),
  {
    name: 'a file is fetched and sent on',
    workflows: [
      chain('no-file', [
        webhook('no-file', { responseData: 'firstEntryBinary' }),
        http({ url: 'http://outside/picture.png', options: { response: { response: { responseFormat: 'file' } } } }),
      ]),
    ],
    act: asks('no-file'),
  },
  {
    name: 'an empty answer keeps the workflow going',
    workflows: [
      chain('no-always', [
        webhook('no-always', all),
        { ...code('return []'), alwaysOutputData: true },
        set({ went: 'on' }),
      ]),
    ],
    act: asks('no-always'),
  },
  {
    name: 'a node that is switched off',
    workflows: [
      chain('no-off', [
        webhook('no-off', all),
        { ...set({ never: 'run' }, 'Off'), disabled: true },
        set({ ran: 'yes' }),
      ]),
    ],
    act: asks('no-off'),
  },
]

export const nodes: Area = { name: 'nodes', cases }
