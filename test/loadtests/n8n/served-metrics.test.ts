import { servedMetrics } from '../../../loadtests/src/n8n/metrics.ts'

test('what a process serves is its metrics', () => {
  expect(servedMetrics('main', { status: 200, text: 'n8n_x 1' })).toBe('n8n_x 1')
})

test('a webhook processor may serve none, as before n8n 2', () => {
  expect(servedMetrics('webhook', { status: 404, text: 'Cannot GET /metrics' })).toBe('')
})

test.each([
  ['main', { status: 404, text: '' }],
  ['webhook', { status: 503, text: '' }],
  ['webhook', null],
] as const)('%s that answers %j did not say', (component, answer) => {
  expect(servedMetrics(component, answer)).toBeNull()
})
