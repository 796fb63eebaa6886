import { describe, expect, it } from '@jest/globals'
import { completed } from '../../../../loadtests/src/n8n/exported.ts'
import { sampleOf } from '../../../../loadtests/src/workload/inferred/sample.ts'
import { readsOf } from '../../../../loadtests/src/workload/inferred/reads.ts'
import { code, condition, http, node, set, webhook, workflow, type Built } from '../../../e2e/fixtures/kinds/build.ts'

/** A sample of what a workflow reads of one of its nodes. */
const sampled = (built: Built, of = 'Webhook') =>
  sampleOf(readsOf(completed(built, built.name), [built.nodes.length ? 'Webhook' : '']).outputOf(of).json)

const after = (...nodes: Parameters<typeof workflow>[1]) => sampled(workflow('read', [webhook('read'), ...nodes]))

describe('what a workflow reads of its trigger becomes a sample of it', () => {
  it.each([
    ['a field of the body', '={{ $json.body.email }}', { body: { email: 'ada.lovelace@example.com' } }],
    ['of a node by its name', "={{ $('Webhook').item.json.query.id }}", { query: { id: '{{counter}}' } }],
    ['in the old way', '={{ $node["Webhook"].json["headers"]["x-signature"] }}', { headers: expect.anything() }],
    ['an element of a list', '={{ $json.body.items[0].price }}', { body: { items: [{ price: 42.5 }] } }],
    [
      'a text that is JSON',
      '={{ JSON.parse($json.body.payload).userId }}',
      { body: { payload: '{"userId":"{{counter}}"}' } },
    ],
    [
      'a date',
      '={{ DateTime.fromISO($json.body.when).toFormat("yyyy") }}',
      { body: { when: '2026-01-31T09:30:00.000Z' } },
    ],
  ])('%s', (_, expression, expected) => {
    expect(after(set('Use', { used: expression }))).toEqual(expected)
  })

  it.each([
    [
      'destructuring',
      'const { body: { name, tags: [first] } } = $input.first().json; first.label',
      { name: 'Ada Lovelace', tags: [{ label: 'general' }] },
    ],
    [
      'loops',
      'for (const item of $input.all()) { for (const line of item.json.body.lines) line.sku.trim() }',
      { lines: [{ sku: 'Notebook' }] },
    ],
    ['callbacks', 'return $json.body.orders.filter((order) => order.total > 100)', { orders: [{ total: 101 }] }],
    ['a guard that throws', 'if (!$json.body.amount || $json.body.amount < 5) throw new Error("no")', { amount: 6 }],
    ['a pattern', 'if (!/^[A-Z]{2}$/.test($json.body.country)) throw new Error("no")', { country: 'DE' }],
    [
      'a field by a name that is known only later',
      'const row = $json.body.row; row.id; $input.first().json.body.columns.filter((one) => row[one.name])',
      { row: { id: '{{counter}}' }, columns: [{ name: 'Ada Lovelace' }] },
    ],
    ['a constant', 'switch ($json.body.event) { case "order.created": return [] }', { event: 'order.created' }],
    [
      'a function of its own',
      'const nameOf = (who) => who.first_name; nameOf($json.body.customer)',
      { customer: { first_name: 'Ada' } },
    ],
  ])('in code: %s', (_, text, body) => {
    expect(after(code('Code', text))).toEqual({ body })
  })

  it('through nodes that hand items on, and not where a node makes the field itself', () => {
    const body = after(
      node('Wait', 'noOp', 1),
      set('Named', { name: '={{ $json.body.first }}' }, true),
      code('Use', 'return [{ json: { a: $json.name.trim(), b: $json.body.city, c: $json.made } }]'),
    )
    expect(body).toMatchObject({ body: { first: expect.any(String), city: 'Berlin' } })
    expect(body).not.toHaveProperty('name')
  })

  it('of each element, where a list is split out', () => {
    const body = after(
      node('Each', 'splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
      set('Use', { mail: '={{ $json.email }}' }),
    )
    expect(body).toEqual({ body: { rows: [{ email: 'ada.lovelace@example.com' }] } })
  })
})

describe('the main branch of a condition runs', () => {
  const branching = (operation: string, right: unknown, main: number) =>
    sampled(
      workflow(
        'branch',
        [
          webhook('b'),
          node('If', 'if', 2.2, { conditions: condition('={{ $json.body.state }}', operation, right), options: {} }),
        ],
        {
          also: [
            ['If', main, 'A'],
            ['A', 0, 'B'],
            ['If', 1 - main, 'C'],
          ],
          others: [node('A', 'noOp', 1), node('B', 'noOp', 1), node('C', 'noOp', 1)],
        },
      ),
    )

  it('by the constant that it compares with', () => {
    expect(branching('equals', 'open', 0)).toEqual({ body: { state: 'open' } })
  })
  it('by another value, where the other branch leads further', () => {
    expect(branching('equals', 'open', 1)).toEqual({ body: { state: 'active' } })
  })
  it('by a text that contains what is looked for', () => {
    expect(branching('contains', 'urgent', 0)).toEqual({ body: { state: 'urgent' } })
  })
  it('by nothing, where it has to be empty', () => {
    expect(branching('notEmpty', '', 1)).toEqual({ body: { state: '' } })
  })
})

it('a branch that is not taken has no say: its conditions do not steer the request', () => {
  const check = (name: string, right: string) =>
    node(name, 'if', 2.2, { conditions: condition('={{ $json.body.state }}', 'equals', right), options: {} })
  const read = sampled(
    workflow('aside', [webhook('a'), check('Main', 'open'), node('A', 'noOp', 1), node('B', 'noOp', 1)], {
      also: [['Main', 1, 'Aside']],
      others: [check('Aside', 'closed')],
    }),
  )
  expect(read).toEqual({ body: { state: 'open' } })
})

it('what is read within a loop is read of what leads into it, not of what leads back', () => {
  const looping = workflow(
    'loop',
    [
      webhook('l'),
      http('Rows', 'https://example.com/rows'),
      node('Each', 'splitInBatches', 3),
      http('Use', '={{ $json.file.url }}'),
    ],
    { also: [['Use', 0, 'Each']] },
  )
  expect(sampled(looping, 'Rows')).toHaveProperty('file.url')
})

it('a loop of nodes that add fields asks the node before it for the others', () => {
  const looping = workflow(
    'loop',
    [
      webhook('l'),
      node('Each', 'splitInBatches', 3),
      set('Counted', { count: '={{ $json.body.count }}' }, true),
      set('Used', { used: '={{ $json.body.email }}' }, true),
      set('Last', { last: '={{ $json.city }}' }),
    ],
    { also: [['Used', 0, 'Each']] },
  )
  expect(sampled(looping)).toEqual({ body: { count: 3, email: 'ada.lovelace@example.com' }, city: 'Berlin' })
})

it('code that gives its items other contents still reads those that come in', () => {
  const body = after(
    code('Short', 'for (const one of items) { one.json = { mail: one.json.body.email } } return items'),
  )
  expect(body).toEqual({ body: { email: 'ada.lovelace@example.com' } })
})

it('what another trigger leads to has no part', () => {
  const use = set('Use', { used: '={{ $json.body.email }}' })
  const built = workflow('two', [webhook('t'), use], {
    also: [['Manual', 0, 'Use']],
    others: [node('Manual', 'manualTrigger', 1)],
  })
  const connections = Object.fromEntries(Object.entries(built.connections).toReversed())
  expect(sampled({ ...built, connections })).toEqual({ body: { email: 'ada.lovelace@example.com' } })
})

it('a node below a node of a chain reads the items of the chain', () => {
  const store = node('Store', '@vectorStoreQdrant', 1, { qdrantCollection: '={{ $json.body.company }}' })
  const retriever = node('Retriever', '@retrieverVectorStore', 1)
  const answering = workflow('qa', [webhook('q'), node('Answer', '@chainRetrievalQa', 1)], {
    subs: [
      [retriever, 'ai_retriever', 'Answer'],
      [store, 'ai_vectorStore', 'Retriever'],
    ],
  })
  expect(sampled(answering)).toEqual({ body: { company: 'Example Ltd' } })
})

it('a value has the type that a condition checks', () => {
  const rules = ['request-certificate', 'other'].map((right) => ({
    conditions: {
      options: { typeValidation: 'strict' },
      conditions: [
        {
          leftValue: '={{ $json.body.callback_id }}',
          rightValue: '',
          operator: { type: 'string', operation: 'notEquals' },
        },
        { leftValue: '={{ $json.body.kind }}', rightValue: right, operator: { type: 'string', operation: 'equals' } },
      ],
    },
  }))
  const read = after(node('Route', 'switch', 3, { rules: { values: rules } }), node('End', 'noOp', 1))
  // A field alone would become a number.
  expect(read).toMatchObject({ body: { callback_id: '1{{counter}}', kind: 'request-certificate' } })
})

it('a column of a date gets a date', () => {
  const columns = {
    mappingMode: 'defineBelow',
    value: { Interview: '={{ $json.body.slot }}' },
    schema: [{ id: 'Interview', type: 'dateTime' }],
  }
  expect(after(node('Update', 'airtable', 2.1, { columns }))).toEqual({ body: { slot: '2026-01-31T09:30:00.000Z' } })
})

it('a loop ends: what its condition waits for is in the answer', () => {
  const polling = workflow(
    'poll',
    [
      webhook('p'),
      http('Look', 'https://example.com/jobs'),
      node('Done', 'if', 2.2, { conditions: condition('={{ $json.status }}', 'equals', 'done'), options: {} }),
      node('End', 'noOp', 1),
    ],
    { also: [['Done', 1, 'Look']] },
  )
  expect(sampled(polling, 'Look')).toEqual({ status: 'done' })
})

describe('what no n8n writes is passed over', () => {
  const read = { body: { id: '{{counter}}' } }

  it.each<[string, Record<string, unknown>]>([
    [
      'a field whose name is a number',
      { assignments: { assignments: [{ name: 0, value: 1, type: 'toString' }, null] } },
    ],
    ['fields that are no list', { assignments: { assignments: 'a' }, values: 'b', fields: { values: {} } }],
  ])('%s', (_, parameters) => {
    const odd = node('Odd', 'set', 3, { ...parameters, include: 'all', includeOtherFields: true })
    expect(after(odd, set('Use', { used: "={{ $('Webhook').item.json.body.id }}" }))).toEqual(read)
  })

  it.each<[string, Record<string, unknown>]>([
    ['conditions that are no list', { conditions: { conditions: {} } }],
    [
      'an operation that is a number',
      { conditions: { conditions: [{ leftValue: 1, operator: { operation: 1 } }, null] } },
    ],
  ])('%s', (_, parameters) => {
    expect(
      after(node('Odd', 'if', 2, parameters), set('Use', { used: "={{ $('Webhook').item.json.body.id }}" })),
    ).toEqual(read)
  })
})
