import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

let runs = 0
const checking = (...words: string[]) => check('--workflow', 'ping-webhook', '--rate', '3', ...words)

async function check(...words: string[]) {
  const out = join(dir, String(runs++))
  const said = await command(
    'check',
    '--target',
    n8n.url,
    '--yes',
    '--quick',
    '--repeat',
    '1',
    '--slo',
    'p95=20s,errors=1%,backlog=100%',
    '--out',
    out,
    ...words,
  )
  if (!existsSync(join(out, 'summary.json')))
    throw new Error(`Expected the check to measure, got exit ${said.exit}: ${said.err}`)
  return {
    ...said,
    summary: JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary,
    report: readFileSync(join(out, 'report.md'), 'utf8'),
  }
}
const measured = ({ results }: Summary) => results[0]!.steps.find(({ purpose }) => purpose === 'measure')!

test('with its metrics, every accepted request is counted as finished, though it had executed before', async () => {
  await fetch(`${n8n.url}/webhook/ping`)
  const { exit, summary } = await checking('--metrics-url', `${n8n.url}/metrics`)
  expect(exit).toBe(0)
  const { accepted, ...became } = measured(summary).accounting
  expect(accepted).toBeGreaterThan(25)
  expect(became).toMatchObject({ finished: accepted, failed: 0, waiting: 0, lost: 0 })
  expect(summary.results[0]!.resources).toMatchObject([
    { process: 'n8n-0', cpu: null, heapUsed: { max: expect.any(Number) } },
  ])
}, 300_000)

test('without metrics it is said that nobody knows what became of them', async () => {
  const { exit, summary, report } = await checking()
  expect(exit).toBe(0)
  expect(measured(summary).accounting).toMatchObject({ accepted: expect.any(Number), finished: null, lost: null })
  expect(report).toContain('how many of them finished is unknown')
  expect(report).toContain('its settings, limits and machine are unknown')
  expect(summary.recommendation).toBeNull()
}, 300_000)

test('it misses its objective where the answers are wrong', async () => {
  const request = join(dir, 'request.json')
  writeFileSync(request, JSON.stringify({ expect: { json: { '$.price': 13 } } }))
  const { exit, summary, err } = await checking('--request', request)
  expect(exit).toBe(3)
  // More than a tenth of the answers are wrong, so the load ends by itself while it is still low.
  const { load } = summary.results[0]!.steps.at(-1)!
  expect(load).toMatchObject({ accepted: 0, failures: { wrong_json: expect.any(Number) } })
  expect(err).toContain('wrong json')
}, 300_000)

test('what three kinds of callers send is inferred from the files, and written down', async () => {
  const named = kinds.flatMap((one) => ['--workflow', fileOf(one)])
  const { exit, summary, out, err } = await check(...named, '--rate', '3', '--metrics-url', `${n8n.url}/metrics`)
  expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' })
  expect(summary.results.map(({ workflow: name }) => name)).toEqual(['orders', 'sign-up', 'support'])
  for (const { steps } of summary.results)
    expect(steps.find(({ purpose }) => purpose === 'measure')!.accounting).toMatchObject({ failed: 0, lost: 0 })
  expect(err + out).toContain('orders.request.json')
}, 600_000)

test('it is still there, with its workflow, when the lab has gone', async () => {
  expect((await fetch(`${n8n.url}/webhook/ping`)).status).toBe(200)
})
