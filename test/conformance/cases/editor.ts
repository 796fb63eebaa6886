import type { Area, Case } from '../case.ts'
import type { Client } from '../client.ts'
import { publish } from '../drive.ts'
import { chain, code, node, set, webhook, type Workflow } from '../workflow.ts'

const manual = node('Start', 'manualTrigger', 1)
const draft = (id: string, nodes: Workflow['nodes'], more: object = {}) => chain(id, nodes, { publish: false, ...more })

/** As the editor's buttons do. n8n 1 takes the workflow from the request, n8n 2 from its database. */
async function run(n8n: Client, id: string, how: object): Promise<string | undefined> {
  const { json: saved } = await n8n.rest('GET', `/workflows/${id}`)
  const { json } = await n8n.rest('POST', `/workflows/${id}/run`, { workflowData: saved.data, ...how })
  return json.data.executionId
}

const fromStart = { triggerToStartFrom: { name: 'Start' } }
const upTo = (name: string) => ({ destinationNode: { nodeName: name, mode: 'inclusive' } })
const items = code(`return [1, 2].map((number) => ({ json: { number } }))`, 'Items')
const pinned = { pinData: { Items: [{ json: { number: 41 } }] } }

/** n8n 2 takes a workflow back a while after it says so. */
const patient = { retry: 409 }

/** What the editor holds of an execution, to go on from it. */
async function runDataOf(n8n: Client, id: string): Promise<object> {
  const { json } = await n8n.rest('GET', `/executions/${id}`)
  const { parse } = await import('flatted')
  return parse(json.data.data).resultData.runData
}

const cases: Case[] = [
  {
    name: 'run by hand',
    workflows: [draft('ed-run', [manual, items, set({ next: '={{ $json.number + 1 }}' })])],
    act: async (n8n) => void (await run(n8n, 'ed-run', fromStart)),
  },
  {
    name: 'run by hand, and failing',
    workflows: [draft('ed-fails', [manual, code(`throw new Error('by hand')`)])],
    act: async (n8n) => void (await run(n8n, 'ed-fails', fromStart)),
    ends: ['error'],
  },
  {
    name: 'run by hand up to a node',
    workflows: [
      draft('ed-upto', [manual, items, set({ next: '={{ $json.number + 1 }}' }), set({ never: 'run' }, 'Later')]),
    ],
    act: async (n8n) => void (await run(n8n, 'ed-upto', { ...fromStart, ...upTo('Set') })),
  },
  {
    name: 'one node run again',
    workflows: [draft('ed-part', [manual, items, set({ next: '={{ $json.number + 1 }}' })], { pinData: {} })],
    async act(n8n) {
      const id = await run(n8n, 'ed-part', fromStart)
      await n8n.ended('ed-part')
      await run(n8n, 'ed-part', { runData: await runDataOf(n8n, id!), dirtyNodeNames: ['Set'], ...upTo('Set') })
    },
    ends: ['success', 'success'],
  },
  {
    name: 'pinned data by hand',
    workflows: [draft('ed-pinned', [manual, items, set({ next: '={{ $json.number + 1 }}' })], pinned)],
    act: async (n8n) => void (await run(n8n, 'ed-pinned', fromStart)),
  },
  {
    name: 'pinned data in production',
    workflows: [
      chain('ed-unpinned', [webhook('ed-unpinned'), items, set({ next: '={{ $json.number + 1 }}' })], pinned),
    ],
    act: async (n8n) => void (await n8n.ask('/webhook/ed-unpinned')),
  },
  {
    name: 'a test webhook',
    since: '2.0.0',
    workflows: [draft('ed-test', [webhook('ed-test'), set({ tested: 'yes' })])],
    async act(n8n) {
      await n8n.ask('/webhook-test/ed-test', { main: true, status: 404 })
      await run(n8n, 'ed-test', { triggerToStartFrom: { name: 'Webhook' } })
      await n8n.ask('/webhook-test/ed-test', { main: true })
    },
  },
  {
    name: 'stopped while it waits',
    workflows: [
      chain('ed-stop', [
        webhook('ed-stop', { responseMode: 'onReceived' }),
        node('Wait', 'wait', 1.1, { resume: 'webhook', options: {} }, { webhookId: 'ed-stop-wait' }),
      ]),
    ],
    async act(n8n) {
      await n8n.ask('/webhook/ed-stop')
      const [waiting] = await n8n.ended('ed-stop')
      await n8n.rest('POST', `/executions/${waiting!.id}/stop`)
    },
    ends: ['canceled'],
  },
  {
    name: 'stopped while it runs',
    workflows: [
      chain('ed-halt', [
        webhook('ed-halt', { responseMode: 'onReceived' }),
        node('Wait', 'wait', 1.1, { amount: 30 }, { webhookId: 'ed-halt-wait' }),
        set({ never: 'run' }),
      ]),
    ],
    async act(n8n) {
      await n8n.ask('/webhook/ed-halt')
      const id = await n8n.running('ed-halt')
      // A worker that has not begun would not hear of it.
      await n8n.until('it waits', () => n8n.hasStarted('ed-halt-1'))
      await n8n.rest('POST', `/executions/${id}/stop`)
    },
    ends: ['canceled'],
  },
  {
    name: 'a schedule',
    // A schedule so rare that the case removes it before it fires again.
    workflows: [
      draft('ed-schedule', [
        node('Schedule', 'scheduleTrigger', 1.2, {
          rule: { interval: [{ field: 'cronExpression', expression: '*/20 * * * * *' }] },
        }),
        set({ scheduled: 'yes' }),
      ]),
    ],
    async act(n8n) {
      await publish(n8n, 'ed-schedule')
      await n8n.ended('ed-schedule')
      await n8n.rest('POST', '/workflows/ed-schedule/deactivate')
    },
  },
  {
    name: 'a workflow is made, changed, published, put away and deleted',
    workflows: [],
    async act(n8n) {
      const { json: made } = await n8n.rest('POST', '/workflows', {
        ...draft('x', [webhook('ed-made'), set({ version: 'one' })]),
        name: 'made by hand',
        active: false,
      })
      const { id, versionId } = made.data
      const { json: changed } = await n8n.rest('PATCH', `/workflows/${id}`, {
        ...draft('x', [webhook('ed-made')]),
        name: 'changed by hand',
        versionId,
        id: undefined,
      })
      await n8n.rest('POST', `/workflows/${id}/activate`, { versionId: changed.data.versionId })
      await n8n.rest('POST', `/workflows/${id}/deactivate`)
      await n8n.rest('POST', `/workflows/${id}/archive`)
      await n8n.rest('DELETE', `/workflows/${id}`, undefined, patient)
    },
    ends: [],
  },
  {
    name: 'lists of workflows and executions',
    workflows: [],
    async act(n8n) {
      // By default n8n sorts by the time of the last change, and many were imported at one moment.
      await n8n.rest('GET', '/workflows?includeScopes=true&take=50&sortBy=name%3Aasc')
      await n8n.rest('GET', '/executions?limit=20&filter=%7B%22status%22%3A%5B%22error%22%5D%7D')
      await n8n.rest('GET', '/executions?limit=20&filter=%7B%22workflowId%22%3A%22ed-run%22%7D')
    },
    ends: [],
  },
]

export const editor: Area = { name: 'editor', cases }
