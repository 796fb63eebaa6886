import type { Area, Case } from '../case.ts'
import { chain, code as node, webhook } from '../workflow.ts'

const items = node(`return [1, 2, 3].map((number) => ({ json: { number } }))`, 'Items')

const asked = (id: string, name: string, js: string, parameters: object = {}, more: Partial<Case> = {}): Case => ({
  name,
  workflows: [
    chain(`co-${id}`, [webhook(`co-${id}`, { responseData: 'allEntries' }), items, node(js, 'Code', parameters)]),
  ],
  act: async (n8n) => void (await n8n.ask(`/webhook/co-${id}?a=1`)),
  ...more,
})

const fails: Partial<Case> = { ends: ['error'] }
const failing = (id: string): Partial<Case> => ({
  ...fails,
  act: async (n8n) => void (await n8n.ask(`/webhook/co-${id}`, { status: 500 })),
})

const cases: Case[] = [
  asked(
    'all',
    'once for all items',
    `return $input.all().map(({ json }) => ({ json: { ...json, squared: json.number ** 2 } }))`,
  ),
  asked('each', 'once for each item', `return { json: { index: $itemIndex, number: $json.number + 1 } }`, {
    mode: 'runOnceForEachItem',
  }),
  asked(
    'reads',
    'reads other nodes, the execution and the workflow',
    `return [{ json: { query: $('Webhook').first().json.query, mode: $execution.mode, workflow: `
      + `$workflow.id, now: typeof $now, prev: $prevNode.name, outside: typeof $env } }]`,
  ),
  asked(
    'async',
    'awaits',
    `await new Promise((resolve) => setTimeout(resolve, 5)); return [{ json: { waited: true } }]`,
  ),
  asked(
    'data',
    'keeps static data',
    `const data = $getWorkflowStaticData('global'); data.count = (data.count ?? 0) + 1; return [{ json: { `
      + `count: data.count } }]`,
    {},
    {
      ends: ['success', 'success'],
      async act(n8n) {
        await n8n.ask('/webhook/co-data')
        await n8n.ended('co-data')
        await n8n.ask('/webhook/co-data')
      },
    },
  ),
  asked('syntax', 'does not parse', 'return [', {}, failing('syntax')),
  asked('nothing', 'returns what n8n does not take', `return 5`, {}, failing('nothing')),
  asked(
    'throws',
    'fails at the second item',
    `if ($json.number === 2) throw new Error('two'); return { json: {} }`,
    { mode: 'runOnceForEachItem' },
    failing('throws'),
  ),
  asked('large', 'moves a megabyte', `return [{ json: { text: 'x'.repeat(1_000_000) } }]`),
]

export const code: Area = { name: 'code', cases }
