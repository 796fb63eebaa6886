import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/lib/await.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { signUp } from '../support/owner-account.ts'
import { isLine0, versions } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = temporaryFolder()
let archive: string
let redis: RedisServer

beforeAll(async () => {
  execFileSync(join(root, 'tools/build-nodes'))
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  )
  archive = join(folder, filename)
  redis = await startRedis()
}, 300_000)
afterAll(() => redis?.stop())

test('is under 1.5 MB', () => {
  expect(statSync(archive).size).toBeLessThan(1.5e6)
})

/** As npm does for n8n, which leaves n8n-workflow to be n8n's own. */
function installWithNpm(home: string): void {
  const into = join(home, '.n8n/nodes')
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{"name":"installed-nodes","private":true}')
  execFileSync(
    'npm',
    ['install', '--legacy-peer-deps', '--offline', '--no-audit', '--no-fund', '--loglevel=error', archive],
    { cwd: into },
  )
}

/** What n8n has to be told of it. */
function unpackAside(home: string): Record<string, string> {
  const into = join(home, 'extensions/n8n-nodes-tuned')
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', into])
  return { N8N_CUSTOM_EXTENSIONS: join(home, 'extensions') }
}

const ways = [
  { way: 'installed into the folder of community nodes', types: 'n8n-nodes-tuned', id: '567899' },
  { way: 'named by N8N_CUSTOM_EXTENSIONS', types: 'CUSTOM', id: '567898' },
]
const answering = (id: string) => `${id}1`
const pressed = (id: string) => `${id}2`
const credentials = { n8nQueueRedis: { id: '5678001', name: 'Redis' } }
/** Workflows of before the nodes had a credential of their own. */
const oldCredentials = { redis: { id: '5678002', name: 'Redis' } }

/** A webhook that answers with what Load Target and n8n Queue put out, and a workflow that the trigger starts. */
function workflowsOf({ types, id }: (typeof ways)[number]): object[] {
  const node = (name: string, type: string, parameters: object, more = {}) => ({
    id: `${types}-${name}`,
    name,
    type,
    typeVersion: 1,
    position: [0, 0],
    parameters,
    ...more,
  })
  const chain = (...names: string[]) =>
    Object.fromEntries(
      names.slice(1).map((name, number) => [names[number], { main: [[{ node: name, type: 'main', index: 0 }]] }]),
    )
  const workflow = (own: string, nodes: { name: string }[]) => ({
    id: own,
    name: own,
    active: false,
    nodes,
    connections: chain(...nodes.map(({ name }) => name)),
    settings: {},
  })
  return [
    workflow(answering(id), [
      node(
        'Webhook',
        'n8n-nodes-base.webhook',
        { httpMethod: 'GET', path: types, responseMode: 'lastNode', responseData: 'allEntries', options: {} },
        { webhookId: types },
      ),
      node('Target', `${types}.loadTarget`, { operation: 'cpu', cpuTime: 20 }),
      node(
        'Queue',
        `${types}.queue`,
        { operation: 'counts', settings: { prefix: '={{ $json.operation }}-{{ $json.pid }}' } },
        { credentials: oldCredentials },
      ),
    ]),
    workflow(pressed(id), [
      node(
        'Trigger',
        `${types}.queuePressureTrigger`,
        { capacityIs: 'fixed', capacity: 1, over: 1, overSeconds: 0, everySeconds: 0.1 },
        { credentials, typeVersion: 2 },
      ),
      node('Target', `${types}.loadTarget`, { operation: 'wait', waitDuration: 0 }),
    ]),
  ]
}

describe.each(versions)('packed, in a real n8n %s', (version) => {
  let n8n: N8n
  const at = () => ({ host: '127.0.0.1', port: redis.port })

  beforeAll(async () => {
    await redis.run('FLUSHALL')
    const files = ways.flatMap(workflowsOf).map((workflow, number) => {
      const file = join(folder, `${version}-${number}.json`)
      writeFileSync(file, JSON.stringify(workflow))
      return file
    })
    n8n = await startN8n(version, files, {
      env: { EXECUTIONS_PROCESS: 'main' },
      install(home) {
        installWithNpm(home)
        return unpackAside(home)
      },
      credentials: [
        { ...credentials.n8nQueueRedis, type: 'n8nQueueRedis', data: { connection: 'server', ...at() } },
        { ...oldCredentials.redis, type: 'redis', data: { ...at(), database: 0, password: '' } },
      ],
    })
    await redis.run('LPUSH', `cpu-${n8n.pid}:jobs:wait`, '1', '2', '3')
    await redis.run('LPUSH', 'bull:jobs:wait', '1', '2')
  }, 180_000)
  afterAll(() => n8n?.stop())

  test.each(ways)(
    '$way: its nodes execute',
    async ({ types, id }) => {
      expect(await (await fetch(`${n8n.url}/webhook/${types}`)).json()).toEqual([
        { waiting: 3, active: 0, delayed: 0, completed: 0, failed: 0, added: 0 },
      ])
      expect(
        await until(async () => (await n8n.count('n8n_workflow_success_total', pressed(id))) === 1, {
          timeout: 30_000,
          every: 100,
        }),
      ).toBe(true)
    },
    60_000,
  )

  // n8n 0.x has no test for credentials of others.
  const withTest = isLine0(version) ? test.skip : test
  withTest('its credential is tested as n8n’s own are', async () => {
    const { testCredential } = await signUp(n8n)
    const asked = { name: 'Redis', type: 'n8nQueueRedis' }
    expect(await testCredential({ ...asked, data: at() })).toMatchObject({ status: 'OK' })
    expect(await testCredential({ ...asked, data: { ...at(), user: 'reader', password: 'wrong' } })).toEqual({
      status: 'Error',
      message: expect.stringMatching(/^Wrong password, or wrong user/),
    })
  })
})
