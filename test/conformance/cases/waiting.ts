import type { Area, Case } from '../case.ts'
import type { Client } from '../client.ts'
import { chain, respond, set, webhook, node } from '../workflow.ts'

const wait = (id: string, parameters: object) =>
  node('Wait', 'wait', 1.1, { options: {}, ...parameters }, { webhookId: `${id}-wait` })
const resumeUrl = respond({ respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' })
const formUrl = respond({ respondWith: 'text', responseBody: '={{ $execution.resumeFormUrl }}' })
const goesOn = set({ went: 'on', body: '={{ JSON.stringify($json.body ?? $json) }}' }, 'After')

/** Where a waiting execution says that it can be gone on with; the path, for the side that is asked. */
async function whereTo(n8n: Client, path: string): Promise<string> {
  const { body } = await n8n.ask(`/webhook/${path}`)
  await n8n.ended(path)
  const { pathname, search } = new URL(body)
  return pathname + search
}

const cases: Case[] = [
  {
    name: 'a second',
    workflows: [chain('wa-second', [webhook('wa-second'), wait('wa-second', { amount: 1 }), goesOn])],
    act: async (n8n) => void (await n8n.ask('/webhook/wa-second')),
  },
  {
    name: 'so long that it is stored',
    workflows: [
      chain('wa-stored', [
        webhook('wa-stored', { responseMode: 'onReceived' }),
        wait('wa-stored', { amount: 6600 }),
        goesOn,
      ]),
    ],
    async act(n8n) {
      await n8n.ask('/webhook/wa-stored')
      const [waiting] = await n8n.ended('wa-stored')
      n8n.note('status', waiting!.status)
    },
    ends: ['waiting'],
  },
  {
    name: 'until a moment that has passed',
    workflows: [
      chain('wa-passed', [
        webhook('wa-passed'),
        wait('wa-passed', { resume: 'specificTime', dateTime: '2020-01-01T00:00:00.000Z' }),
        goesOn,
      ]),
    ],
    act: async (n8n) => void (await n8n.ask('/webhook/wa-passed')),
  },
  {
    name: 'for a webhook',
    workflows: [
      chain('wa-webhook', [
        webhook('wa-webhook', { responseMode: 'responseNode' }),
        resumeUrl,
        wait('wa-webhook', { resume: 'webhook', httpMethod: 'POST', responseMode: 'lastNode' }),
        goesOn,
      ]),
    ],
    async act(n8n) {
      const there = await whereTo(n8n, 'wa-webhook')
      await n8n.ask(there, { status: 404 })
      await n8n.ask(there, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"go":"on"}' })
      await n8n.ended('wa-webhook')
      await n8n.ask(there, { method: 'POST', status: 409 })
    },
  },
  {
    name: 'for a webhook, for so long only',
    workflows: [
      chain('wa-limit', [
        webhook('wa-limit', { responseMode: 'responseNode' }),
        resumeUrl,
        wait('wa-limit', { resume: 'webhook', limitWaitTime: true, resumeAmount: 90, resumeUnit: 'seconds' }),
        goesOn,
      ]),
    ],
    async act(n8n) {
      await n8n.ask(await whereTo(n8n, 'wa-limit'))
    },
  },
  {
    name: 'for a form',
    workflows: [
      chain('wa-form', [
        webhook('wa-form', { responseMode: 'responseNode' }),
        formUrl,
        wait('wa-form', {
          resume: 'form',
          formTitle: 'Go on?',
          formFields: { values: [{ fieldLabel: 'Name', fieldType: 'text', requiredField: true }] },
        }),
        goesOn,
      ]),
    ],
    async act(n8n) {
      const { body } = await n8n.ask('/webhook/wa-form')
      await n8n.ended('wa-form')
      const { pathname, search } = new URL(body)
      await n8n.ask(pathname + search, { main: true })
      const form = new FormData()
      form.set('field-0', 'Ada')
      await n8n.ask(pathname + search, { main: true, method: 'POST', body: form })
    },
  },
  {
    name: 'nobody waits there',
    workflows: [],
    act: async (n8n) => void (await n8n.ask('/webhook-waiting/999999', { status: 404 })),
    ends: [],
  },
]

export const waiting: Area = { name: 'waiting', cases }
