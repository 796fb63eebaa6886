import { packagesOf } from '../../../loadtests/src/n8n/exported.ts'

test('packages of community nodes are told from n8n’s and this project’s own', () => {
  const types = [
    ...['n8n-nodes-base.webhook', '@n8n/n8n-nodes-langchain.agent', 'n8n-nodes-tuned.loadTarget'],
    ...['n8n-nodes-ours.orders', '@us/n8n-nodes-more.stock', 'n8n-nodes-ours.returns'],
  ]
  const nodes = types.map((type) => ({ type, name: type, parameters: {} }))
  expect(packagesOf([{ imports: [{ nodes }] }] as never)).toEqual(['n8n-nodes-ours', '@us/n8n-nodes-more'])
})
