import { parseMetrics } from '../../../loadtests/src/n8n/metrics.ts'

const text = [
  '# HELP n8n_up Whether n8n is up.',
  '# TYPE n8n_up gauge',
  'n8n_up 1',
  'n8n_up_for_seconds 12.5',
  'n8n_asked_count{status="200",path="/a\\\\b \\"c\\"\\n}"} 3 1795171014000',
].join('\n')

test('a metric has a name, labels and a value', () => {
  expect(parseMetrics(text, 'n8n_up')).toEqual([{ name: 'n8n_up', labels: {}, value: 1 }])
})

test('a pattern names several', () => {
  expect(parseMetrics(text, 'n8n_up\\w*').map(({ value }) => value)).toEqual([1, 12.5])
})

test('a label may hold what the format escapes', () => {
  expect(parseMetrics(text, 'n8n_asked_count')[0]!.labels).toEqual({ status: '200', path: '/a\\b "c"\n}' })
})

test('what is no metric is left out', () => {
  expect(parseMetrics('n8n is starting up. Please wait', '\\w+')).toEqual([])
})
