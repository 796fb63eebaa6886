import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import type { Realism } from '../../../loadtests/src/model/result.ts'
import { answeredAfter, refuseObjective } from '../../../loadtests/src/run/rehearse.ts'
import type { Exported } from '../../../loadtests/src/n8n/exported.ts'
import { refusalOf } from '../../support/refusal.ts'

/** An objective that cannot hold is said before any load, by the first execution. */

const agent = (responseMode: string) => {
  const node = (name: string, type: string, parameters = {}) => ({
    ...{ name, type, parameters, typeVersion: 1, position: [0, 0] as [number, number], id: name },
  })
  const main = {
    id: 'agent',
    name: 'agent',
    nodes: [
      node('Ask', 'n8n-nodes-base.webhook', { responseMode, path: 'ask' }),
      node('Model', 'n8n-nodes-base.httpRequest'),
      node('Answer', 'n8n-nodes-base.respondToWebhook'),
      node('Log', 'n8n-nodes-base.httpRequest'),
    ],
    connections: {
      Ask: { main: [[{ node: 'Model', type: 'main', index: 0 }]] },
      Model: { main: [[{ node: 'Answer', type: 'main', index: 0 }]] },
      Answer: { main: [[{ node: 'Log', type: 'main', index: 0 }]] },
    },
  }
  return { imports: [main as unknown as Exported] } as unknown as Parameters<typeof answeredAfter>[0]
}
const executed = (name: string, took: number) => ({
  ...{ name, took, runs: 1, items: [1], first: null, error: null },
  spans: [],
})
const execution = {
  ...{ id: 1, workflow: 'agent', status: 'success', error: null, took: 3610 },
  nodes: [executed('Ask', 20), executed('Model', 2660), executed('Answer', 30), executed('Log', 900)],
}

test('a caller waits until the node that answers has run, and for nothing where the webhook answers at once', () => {
  expect(answeredAfter(agent('responseNode'), [execution])).toBe(2710)
  expect(answeredAfter(agent('onReceived'), [execution])).toBeNull()
})

const realism = (services: number): Realism[] => [
  { workflow: 'agent', nodes: 4, ran: 4, untaken: [], ended: true, first: { took: 2810, services } },
]

test('what services alone take longer than is refused before any load, with an objective that would fit', async () => {
  expect(await refusalOf(async () => refuseObjective(realism(2660), 500))).toMatchObject({
    code: 'objective-cannot-hold',
    exit: exitCodes.invalid,
    message: expect.stringContaining('takes 2.81 s, of it 2.66 s waiting for services'),
    hint: expect.stringContaining('--slo p95=4500ms'),
  })
  expect(() => refuseObjective(realism(100), 500)).not.toThrow()
})
