import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/model/summary.ts'

/** A workflow that asks an API with a credential, a chat that no rule knows, and a database past any proxy. */
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

/** Ten seconds: this is about what answers, and the calls to the database keep each execution waiting. */
const profile = given('profile.yaml', {
  name: 'outside',
  question: 'Who answers?',
  workflows: [calls],
  load: { shape: 'constant', rate: 2, duration: '10s' },
})

interface Run {
  code: number
  dir: string
  summary: Summary
}

function check(name: string, workflow: string, ...more: string[]): Promise<Run> {
  const dir = join(folder, name)
  const args = [
    'check',
    '--profile',
    profile,
    '--slo',
    'p95=20s,backlog=100%',
    '--workflow',
    workflow,
    '--credentials',
    credentials,
    '--out',
    dir,
    ...more,
  ]
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` }
  return new Promise((resolve, reject) =>
    execFile(join(root, 'node_modules/.bin/n8n-tuned'), args, { cwd: root, env }, (error, stdout, stderr) => {
      if (!existsSync(join(dir, 'summary.json'))) return reject(new Error(stdout + stderr))
      resolve({
        code: Number(error?.code ?? 0),
        dir,
        summary: JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')),
      })
    }),
  )
}

type Asked = NonNullable<Summary['results'][number]['outside']>
const askedBy = ({ summary }: Run): Asked => summary.results[0]!.outside!

let byRules: Run
let recording: Run
let replayed: Run
const recorded = join(folder, 'recorded.yaml')

let served = 0
const service = createServer((_, response) => {
  served++
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': secret }).end('{"item":"book"}')
})

/** Side by side, because their counts do not depend on their speed. */
beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  // By a name, since what is on the loopback’s address is no outside.
  const { port } = service.address() as AddressInfo
  const workflow = given(
    'recorded-calls.json',
    JSON.parse(readFileSync(calls, 'utf8').replace('https://api.example.com', `http://localhost:${port}`)) as object,
  )
  const on = (version: string) => ['--request', request, '--set', `image.tag=${version}`]
  const record = async () => {
    recording = await check('recording', workflow, ...on('2.41.1'), '--record-outside', recorded, '--yes')
    replayed = await check('replayed', workflow, ...on('0.221.2'), '--outside', recorded)
  }
  const asRules = async () => void (byRules = await check('rules', calls, ...on('2.41.1'), '--outside', rules))
  await Promise.all([asRules(), record()])
}, 600_000)
afterAll(() => void service.close())

describe('a workflow that calls others', () => {
  it('gets its answers from the rules', () => {
    const step = byRules.summary.results[0]!.steps.find(({ purpose }) => purpose === 'measure')!
    expect(step.load.failures).toEqual({})
    // Nothing is missed, but twenty answers are too few to call the objective met.
    expect(byRules.code).toBe(4)
    const orders = askedBy(byRules).calls.find(({ host }) => host === 'api.example.com')!
    expect(orders).toMatchObject({ method: 'GET', path: '/v1/orders/*', outcome: 'answered' })
    // Before its steps n8n is asked whether the webhook answers.
    expect(orders.count).toBeGreaterThanOrEqual(step.load.accepted)
    expect(orders.waited.p50).toBeGreaterThan(30)
    // These are few calls, so their p95 varies. How a latency is drawn has its own test.
    expect(orders.waited.p95).toBeGreaterThan(1.3 * orders.waited.p50)
  })

  it('gets from a recording what the real service said to one call, on another n8n', () => {
    expect([recording.code, replayed.code]).toEqual([4, 4])
    expect(served).toBe(1)
    expect(readFileSync(recorded, 'utf8')).not.toContain(secret)
  })
})

describe.each([
  ['2.41.1', () => byRules],
  ['0.221.2', () => replayed],
])('a workflow that calls others, on a real n8n %s', (_, run) => {
  it('is answered as the service would, where no rule knows it, which the report lists', () => {
    expect(askedBy(run()).calls.find(({ host }) => host === 'slack.com')).toMatchObject({
      method: 'POST',
      path: '/api/chat.postMessage',
      outcome: 'answered',
    })
    expect(readFileSync(join(run().dir, 'report.html'), 'utf8')).toContain('POST slack.com/api/chat.postMessage')
  })

  it('sends nothing past the machine', () => {
    const { left, turnedAway } = askedBy(run())
    expect(left).toEqual(isRoot ? [] : expect.any(Array))
    if (isRoot) expect(turnedAway).toBeGreaterThan(0)
  })
})
