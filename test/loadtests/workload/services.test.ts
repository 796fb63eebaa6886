import type { ExportedNode, Importable } from '../../../loadtests/src/n8n/exported.ts'
import { servicesCalled } from '../../../loadtests/src/workload/services.ts'

const workflow = (...nodes: Partial<ExportedNode>[]) => [{ imports: [{ nodes }] as unknown as Importable[] }]
const node = (type: string, parameters: object, more: Partial<ExportedNode> = {}) =>
  workflow({ name: 'Call', type, parameters: parameters as ExportedNode['parameters'], ...more })
const names = (...given: Parameters<typeof servicesCalled>) => servicesCalled(...given).map(({ name }) => name)

test.each([
  ['https://api.stripe.com/v1/charges', ['api.stripe.com']],
  ['=https://api.example.com:8443/orders/{{ $json.id }}', ['api.example.com:8443']],
  ['https://user:secret@crm.example.com/x', ['crm.example.com']],
  ['={{ $json.url }}', ['httpRequest of the node "Call"']],
  ['=https://{{ $json.host }}/x', ['httpRequest of the node "Call"']],
])('of an HTTP request to %s its host is known, or its node', (url, expected) => {
  expect(names(node('n8n-nodes-base.httpRequest', { url }))).toEqual(expected)
})

test('a node with a credential is named with it; with the credential given, its host and port', () => {
  const database = node(
    'n8n-nodes-base.postgres',
    { query: 'DELETE' },
    { credentials: { postgres: { id: '7', name: 'crm' } } },
  )
  expect(servicesCalled(database)).toEqual([{ name: 'postgres of the node "Call" with "crm"', http: false }])
  const data = { host: 'db.example.com', port: 5432, password: 'secret' }
  const given = [{ id: '7', name: 'crm', type: 'postgres', data }]
  expect(names(database, given)).toEqual(['db.example.com:5432'])
})

test('code that names a host is told by it', () => {
  const jsCode = "return this.helpers.httpRequest({ url: 'https://hooks.example.com/a' })"
  expect(names(node('n8n-nodes-base.code', { jsCode }))).toEqual(['hooks.example.com'])
  expect(names(node('n8n-nodes-base.code', { jsCode: 'return items' }))).toEqual([])
})

test('what works within n8n, and what is switched off, calls nothing', () => {
  const set = { type: 'n8n-nodes-base.set', name: 'Edit', parameters: { text: 'https://example.com/' } }
  const off = { type: 'n8n-nodes-base.slack', name: 'Slack', disabled: true }
  expect(names(workflow(set, off, { type: 'n8n-nodes-tuned.loadTarget', name: 'Work' }))).toEqual([])
})
