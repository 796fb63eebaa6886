import type { Area, Case } from '../case.ts'
import { chain, code, node, set, webhook } from '../workflow.ts'

const called = node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' })
const call = (workflowId: string, options: object = {}, more: object = {}, mode = 'once') =>
  node(
    'Call',
    'executeWorkflow',
    1.2,
    { source: 'database', workflowId: { __rl: true, mode: 'id', value: workflowId }, mode, options },
    more,
  )
const items = code(`return [1, 2].map((number) => ({ json: { number } }))`, 'Items')
const asks =
  (path: string, status?: number): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`, { status }))

const pair = (id: string, parent: ReturnType<typeof call>, child = set({ doubled: '={{ $json.number * 2 }}' })) => [
  chain(id, [webhook(id, { responseData: 'allEntries' }), items, parent]),
  chain(`${id}-child`, [called, child]),
]

const cases: Case[] = [
  {
    name: 'waited for',
    workflows: pair('su-waited', call('su-waited-child')),
    act: asks('su-waited'),
    ends: ['success', 'success'],
  },
  {
    name: 'called once for each item',
    workflows: pair('su-each', call('su-each-child', {}, {}, 'each')),
    act: asks('su-each'),
    ends: ['success', 'success', 'success'],
  },
  {
    name: 'not waited for',
    workflows: pair('su-left', call('su-left-child', { waitForSubWorkflow: false })),
    act: asks('su-left'),
    ends: ['success', 'success'],
  },
  {
    name: 'one that fails',
    workflows: pair('su-fails', call('su-fails-child'), code(`throw new Error('below')`)),
    act: asks('su-fails', 500),
    ends: ['error', 'error'],
  },
  {
    name: 'one that fails and is gone on from',
    workflows: pair(
      'su-on',
      call('su-on-child', {}, { onError: 'continueRegularOutput' }),
      code(`throw new Error('below')`),
    ),
    act: asks('su-on'),
    ends: ['success', 'error'],
  },
  {
    name: 'one that waits',
    workflows: pair(
      'su-waits',
      call('su-waits-child'),
      node('Wait', 'wait', 1.1, { amount: 1 }, { webhookId: 'su-waits-child-wait' }),
    ),
    act: asks('su-waits'),
    ends: ['success', 'success'],
  },
  {
    name: 'one that nobody may call',
    workflows: [
      chain('su-closed', [webhook('su-closed'), call('su-closed-child')]),
      chain('su-closed-child', [called, set({ never: 'run' })], { settings: { callerPolicy: 'none' } }),
    ],
    act: asks('su-closed', 500),
    ends: ['error', 'error'],
  },
  {
    name: 'one in the node itself',
    workflows: [
      chain('su-inline', [
        webhook('su-inline'),
        node('Call', 'executeWorkflow', 1.2, {
          source: 'parameter',
          workflowJson: JSON.stringify(chain('su-inline', [called, set({ inline: 'yes' })])),
          options: {},
        }),
      ]),
    ],
    act: asks('su-inline'),
    ends: ['success', 'success'],
  },
  {
    name: 'one that is not there',
    workflows: [chain('su-gone', [webhook('su-gone'), call("={{ 'nobody' }}")])],
    act: asks('su-gone', 500),
    ends: ['error'],
  },
]

export const subworkflows: Area = { name: 'sub-workflows', cases }
