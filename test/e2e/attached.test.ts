import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command, root } from '../support/command.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { code, node, webhook, workflow } from './fixtures/kinds/build.ts'

/** The real command, and real k6, with a real n8n that another process started. */

const dir = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
let n8n: N8n

/** Three ways in. Each fails unless it gets what it reads. */
const kinds = [
  workflow('orders', [
    { ...webhook('orders'), webhookId: 'orders' },
    code(
      'Check',
      'if (!/@/.test($json.body.email) || !$json.body.items[0].sku) throw new Error("no order"); return $json',
    ),
  ]),
  workflow('sign-up', [
    {
      ...node('Form', 'formTrigger', 2.2, {
        formTitle: 'Sign up',
        formFields: { values: [{ fieldLabel: 'Name' }, { fieldLabel: 'Size', fieldType: 'number' }] },
      }),
      webhookId: 'sign-up',
    },
    code('Check', 'if (!$json.Name.trim() || !($json.Size > 0)) throw new Error("no one"); return $json'),
  ]),
  workflow('support', [
    { ...node('Chat', '@chatTrigger', 1.1, { public: true, options: {} }), webhookId: 'support' },
    code(
      'Check',
      'if ($json.chatInput.length < 3) throw new Error("no question"); return { json: { output: "Yes." } }',
    ),
  ]),
]
const fileOf = ({ name }: { name: string }) => join(dir, `${name}.json`)

beforeAll(async () => {
  for (const one of kinds) writeFileSync(fileOf(one), JSON.stringify({ id: one.name, ...one }))
  n8n = await startN8n('2.41.1', [join(root, 'workflows/ping-webhook.json'), ...kinds.map(fileOf)])
}, 600_000)
afterAll(async () => {
  await n8n.stop()
  rmSync(dir, { recursive: true })
})

/** All three at once: n8n's own counts are of all that it executes. */
test('what three kinds of callers send is inferred from the files, written down, and counted as finished', async () => {
  await fetch(`${n8n.url}/webhook/ping`)
  const run = join(dir, 'run')
  const profile = join(dir, 'mixed.json')
  const load = { shape: 'mixed', rate: 6, duration: '15s' }
  const slo = { p95: '20s', errors: '1%', backlog: '100%' }
  const workflows = kinds.map(fileOf)
  writeFileSync(profile, JSON.stringify({ name: 'mixed', question: 'Are all answered?', workflows, load, slo }))
  const target = ['--target', n8n.url, '--metrics-url', `${n8n.url}/metrics`, '--yes']
  const { exit, out, err } = await command('check', ...target, '--profile', profile, '--out', run)
  // Nothing is missed, but thirty answers of each are too few to call the objective met.
  expect({ exit, err: exit === 4 ? '' : err }).toEqual({ exit: 4, err: '' })
  expect(err + out).toContain('orders.request.json')
  const { results } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as Summary
  const { load: sent, accounting } = results[0]!.steps.find(({ purpose }) => purpose === 'measure')!
  expect(sent.failures).toEqual({})
  expect(sent.parts!.map(({ workflow: name }) => name)).toEqual(['orders', 'sign-up', 'support'])
  for (const { accepted } of sent.parts!) expect(accepted).toBeGreaterThan(15)
  const { accepted, ...became } = accounting
  expect(became).toMatchObject({ finished: accepted, failed: 0, waiting: 0, lost: 0 })
  expect(results[0]!.resources).toMatchObject([{ process: 'n8n-0', cpu: null, heapUsed: { max: expect.any(Number) } }])
}, 600_000)

test('it is still there, with its workflow, when the lab has gone', async () => {
  expect((await fetch(`${n8n.url}/webhook/ping`)).status).toBe(200)
})
