import { findWorkflows } from '../../../loadtests/src/workload/open.ts'
import { byClock, withScheduled } from '../../../loadtests/src/workload/scheduled.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
const location = { file: '--workflow', line: null }
const set = { name: 'Note', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} }

async function withTrigger(type: string, name: string) {
  const trigger = { name: 'Begins', type, typeVersion: 1, parameters: { path: 'x' } }
  const connections = { Begins: { main: [[{ node: 'Note', type: 'main', index: 0 }]] } }
  const file = await write(folder, `${name}.json`, JSON.stringify({ name, nodes: [trigger, set], connections }))
  return (await findWorkflows(file, location))[0]!
}
const nightly = await withTrigger('n8n-nodes-base.scheduleTrigger', 'nightly')
const webhook = await withTrigger('n8n-nodes-base.webhook', 'called')

test('copies of a scheduled workflow begin at every full minute, and none by a Webhook', () => {
  const { imports, beside } = withScheduled(webhook, [nightly], 3)
  const copies = imports.filter(({ id }) => beside!.includes(id))
  expect(new Set(copies.map(({ id }) => id)).size).toBe(3)
  expect(copies[0]!.nodes).toEqual([
    expect.objectContaining({
      name: 'Begins',
      type: 'n8n-nodes-base.scheduleTrigger',
      parameters: { rule: { interval: [{ field: 'cronExpression', expression: '0 * * * * *' }] } },
    }),
    expect.objectContaining({ name: 'Note' }),
  ])
  expect(copies[0]!.connections).toEqual({ Begins: { main: [[{ node: 'Note', type: 'main', index: 0 }]] } })
})

test('the workflow that callers call stays the last of the imports', () => {
  expect(withScheduled(webhook, [nightly], 2).imports.at(-1)!.id).toBe(webhook.id)
})

test('workflows that the clock begins are told from those that callers call', () => {
  expect(byClock([nightly, webhook])).toEqual({ scheduled: [nightly], called: [webhook] })
})

test('without a schedule, copies are refused with what is missing', () => {
  expect(() => byClock([webhook])).toThrow('Expected a workflow that begins by a schedule, got called.')
})
