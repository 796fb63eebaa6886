import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary.ts'

/**
 * A list as n8n exports it: a webhook with header auth that reads its body, and an error workflow. The sub-workflow
 * looks a price up in a data table.
 */
const orders = join(import.meta.dirname, 'fixtures/orders.json')
const folder = temporaryFolder()

const given = (name: string, content: object) => {
  writeFileSync(join(folder, name), JSON.stringify(content))
  return join(folder, name)
}
const credentials = given('credentials.json', [
  { id: 'cred1', name: 'Shop key', type: 'httpHeaderAuth', data: { name: 'x-shop-key', value: 'of-the-shop' } },
])
const dataTables = given('tables.json', {
  id: 'prices1',
  name: 'prices',
  columns: [
    { name: 'item', type: 'string' },
    { name: 'price', type: 'number' },
  ],
  rows: [
    { item: 'pen', price: 2.5 },
    { item: 'book', price: 12 },
  ],
})

const request = given('request.json', {
  body: { order: '{{counter}}', item: 'book' },
  expect: { status: 200, json: { '$.order': '{{counter}}', '$.price': 12 } },
})
const profile = given('profile.json', {
  ...{ name: 'own', question: 'Is each answered?', workflows: [orders] },
  load: { shape: 'constant', rate: 2, duration: '15s' },
})

test('a workload of one’s own, on a real n8n, is answered as each request expects', async () => {
  const out = join(folder, 'run')
  const load = ['--profile', profile, '--slo', 'p95=20s,backlog=100%']
  const own = ['--workflow', orders, '--credentials', credentials, '--data-tables', dataTables, '--request', request]
  const { exit, err } = await command('check', ...load, ...own, '--out', out)
  // Nothing is missed, but thirty answers are too few to call the objective met.
  expect({ exit, err: exit === 4 ? '' : err }).toEqual({ exit: 4, err: '' })
  const { results } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  const step = results[0]!.steps.find(({ purpose }) => purpose === 'measure')!
  expect(step.load.failures).toEqual({})
  expect(step.load.accepted).toBeGreaterThan(15)
  expect(step.accounting).toMatchObject({ failed: 0, lost: 0 })
}, 600_000)
