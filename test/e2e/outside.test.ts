import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/analyse/summary.ts'
import { filesHolding } from '../support/files-holding.ts'

/** A workflow that asks an API with a credential, a chat that nothing stands in for, and a database past any proxy. */
const calls = join(import.meta.dirname, 'fixtures/calls.json')
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))
const isRoot = process.getuid?.() === 0

const secret = 's3cret-of-the-shop'
function given(name: string, content: object): string {
  writeFileSync(join(folder, name), JSON.stringify(content))
  return join(folder, name)
}
// n8n 0.x counts its credentials.
const credentials = given('credentials.json', [
  { id: '1002', name: 'Shop API', type: 'httpHeaderAuth', data: { name: 'x-shop-key', value: secret } },
  {
    id: '1003',
    name: 'Shop database',
    type: 'postgres',
    data: { host: '203.0.113.1', port: 5432, database: 'shop', user: 'shop', password: secret, ssl: 'disable' },
  },
])
const request = given('request.json', { expect: { json: { '$.item': 'book' } } })
const rules = given('rules.json', {
  rules: [
    { host: 'api.example.com', path: '/v1/orders/*', body: { item: 'book' }, latency: { p50: '40ms', p95: '90ms' } },
  ],
})

interface Run {
  code: number
  dir: string
  said: string
  summary: Summary
}

function check(name: string, workflow: string, ...more: string[]): Promise<Run> {
  const dir = join(folder, name)
  const args = [
    'check',
    '--rate',
    '2',
    '--quick',
    '--repeat',
    '1',
    '--slo',
    'p95=20s',
    '--workflow',
    workflow,
    '--credentials',
    credentials,
    '--out',
    dir,
    ...more,
  ]
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` }
  return new Promise((resolve) =>
    execFile(join(root, 'node_modules/.bin/n8n-tuned'), args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({
        code: Number(error?.code ?? 0),
        dir,
        said: stdout + stderr,
        summary: JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')),
      })
    }),
  )
}

const versions = ['2.41.1', '0.221.2']
/** Side by side, because their counts do not depend on their speed. */
let runs: Map<string, Run>
beforeAll(async () => {
  const checking = (tag: string) =>
    check(tag, calls, '--request', request, '--outside', rules, '--set', `image.tag=${tag}`)
  runs = new Map(await Promise.all(versions.map(async (tag) => [tag, await checking(tag)] as const)))
}, 400_000)

describe.each(versions)('a workflow that calls others, on a real n8n %s', (tag) => {
  let run: Run
  let asked: NonNullable<Summary['results'][number]['outside']>
  beforeAll(() => {
    run = runs.get(tag)!
    asked = run.summary.results[0]!.outside!
  })

  it('gets its answers from the rules', () => {
    const step = run.summary.results[0]!.steps.find(({ purpose }) => purpose === 'measure')!
    expect(step.load.failures).toEqual({})
    expect(run.code).toBe(0)
    const orders = asked.calls.find(({ host }) => host === 'api.example.com')!
    expect(orders).toMatchObject({ method: 'GET', path: '/v1/orders/*', outcome: 'answered' })
    // Before its steps n8n is asked whether the webhook answers.
    expect(orders.count).toBeGreaterThanOrEqual(step.load.accepted)
    expect(orders.waited.p50).toBeGreaterThan(30)
    expect(orders.waited.p95).toBeGreaterThan(70)
  })

  it('is refused where no rule knows whom it asks, which the report lists', () => {
    expect(asked.calls.find(({ host }) => host === 'slack.com')).toMatchObject({
      method: 'POST',
      path: '/api/chat.postMessage',
      outcome: 'refused',
    })
    expect(run.said).toContain('slack.com')
    expect(readFileSync(join(run.dir, 'report.html'), 'utf8')).toContain('POST slack.com/api/chat.postMessage')
  })

  it('sends nothing past the machine', () => {
    expect(asked.left).toEqual(isRoot ? [] : expect.any(Array))
    if (isRoot) expect(asked.turnedAway).toBeGreaterThan(0)
  })

  it('leaves no secret in what is kept or said', () => {
    expect(filesHolding(run.dir, secret)).toEqual([])
    expect(run.said).not.toContain(secret)
  })
})

describe('what the real service says', () => {
  let asked = 0
  const service = createServer((_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': secret }).end('{"item":"book"}')
  })
  let workflow: string
  beforeAll(async () => {
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
    // By a name, since what is on the loopback’s address is no outside.
    const { port } = service.address() as AddressInfo
    workflow = given(
      'recorded-calls.json',
      JSON.parse(readFileSync(calls, 'utf8').replace('https://api.example.com', `http://localhost:${port}`)) as object,
    )
  })
  afterAll(() => void service.close())

  it('is recorded by one call and played back without any', async () => {
    const file = join(folder, 'recorded.yaml')
    const recording = await check('recording', workflow, '--request', request, '--record-outside', file)
    expect(recording.code).toBe(0)
    expect(asked).toBe(1)
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    const replayed = await check('replaying', workflow, '--request', request, '--outside', file)
    expect(replayed.code).toBe(0)
    expect(asked).toBe(1)
  }, 300_000)
})
