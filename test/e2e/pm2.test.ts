import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { groupMembers } from '../../loadtests/src/lib/processes.ts'
import { command, root } from '../support/command.ts'
import { seed } from '../support/n8n-seed.ts'
import { ask, startLoad } from '../support/pm2/load.ts'
import { freeRange, openPm2 } from '../support/pm2/pm2.ts'
import { startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

/**
 * The ecosystem file under the real PM2, with a real n8n in queue mode: main, two webhook processors that share a
 * port, two workers, Redis and PostgreSQL.
 */

const run = promisify(execFile)

// Before the folder goes.
afterAll(async () => {
  await pm2.run('kill')
  await redis.stop()
  await database.stop()
}, 300_000)
const folder = temporaryFolder()
const file = join(folder, 'ecosystem.config.cjs')
const { node, n8n, folder: installed } = runtime('2.41.1')

let database: PostgresqlServer
let redis: RedisServer
let firstPort: number
let webhook: string
let pm2: ReturnType<typeof openPm2>

beforeAll(async () => {
  ;[database, redis, firstPort] = await Promise.all([startPostgresql(), startRedis(), freeRange(7)])
  const values = await write(
    folder,
    'values.yaml',
    stringify({
      image: { tag: '2.41.1' },
      executions: { mode: 'queue' },
      database: {
        type: 'external',
        host: '127.0.0.1',
        port: database.port,
        password: { existingSecret: { name: 'elsewhere' } },
      },
      encryptionKey: { generate: true },
      redis: { type: 'external', host: '127.0.0.1', port: redis.port },
      webhook: { replicas: 2 },
      worker: { replicas: 2 },
      tuning: { tier: 'patched' },
    }),
  )
  const said = await command('ecosystem', '--values', values, '--port', String(firstPort), '--out', file)
  expect(said).toMatchObject({ exit: 0 })
  webhook = `http://127.0.0.1:${firstPort + 2}/webhook/ping`
  pm2 = openPm2(folder, node, {
    PATH: `${join(installed, 'node_modules/.bin')}:/usr/bin:/bin`,
    // One after the other, so that there is always a worker.
    PM2_CONCURRENT_ACTIONS: '1',
    N8N_BIN: n8n,
    N8N_ENCRYPTION_KEY: 'a key of the test',
    DB_POSTGRESDB_PASSWORD: database.password,
  })
  const { apps } = JSON.parse(
    (await run(node, ['-p', `JSON.stringify(require(${JSON.stringify(file)}))`], { env: pm2.env })).stdout,
  ) as { apps: { env: Record<string, string> }[] }
  const cli = (args: string[], nodeFlags: string[] = []) =>
    run(node, [...nodeFlags, n8n, ...args], { env: { ...pm2.env, ...apps[0]!.env }, cwd: folder })
  await seed(cli, '2.41.1', [join(root, 'workflows/ping-webhook.json')], [], folder)
  await pm2.run('start', file)
}, 600_000)

test('when pm2 start has ended, everything is ready: the first request is answered', async () => {
  expect(await ask(webhook)).toBe(200)
  expect((await pm2.list()).map(({ name, pm2_env }) => [name, pm2_env.status])).toEqual(
    ['n8n-main', 'n8n-webhook', 'n8n-webhook', 'n8n-worker-0', 'n8n-worker-1'].map((name) => [name, 'online']),
  )
}, 300_000)

test.each(['n8n-main', 'n8n-webhook', 'n8n-worker-0'])(
  '%s applies the patches that are beside the ecosystem file',
  async (app) => {
    expect(await readFile(join(pm2.logs, `${app}-error.log`), 'utf8')).toMatch(
      /n8n-tuned: patches applied: .*fewerQueries.*\. Skipped: none\./,
    )
  },
)

test('no request fails while pm2 reload puts every process in another’s place', async () => {
  const before = (await pm2.list()).map(({ pid }) => pid)
  const load = startLoad(webhook, 100)
  await pm2.run('reload', file)
  const answers = await load.stop()
  expect(Object.keys(answers)).toEqual(['200'])
  expect(answers[200]).toBeGreaterThan(50)
  const after = await pm2.list()
  expect(after.map(({ pm2_env }) => pm2_env.status)).toEqual(Array(5).fill('online'))
  expect(after.filter(({ pid }) => before.includes(pid))).toEqual([])
}, 600_000)

test('the logs are one file an app, with the time before what n8n says', async () => {
  expect((await readdir(pm2.logs)).filter((name) => name.endsWith('-out.log')).sort()).toEqual(
    ['n8n-main', 'n8n-webhook', 'n8n-worker-0', 'n8n-worker-1'].map((name) => `${name}-out.log`),
  )
  const starts = (await readFile(join(pm2.logs, 'n8n-webhook-out.log'), 'utf8')).match(
    /^.*Webhook listener waiting for requests\.$/gm,
  )
  expect(starts).toEqual(Array(4).fill(expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/)))
  expect(await pm2.run('logs', 'n8n-main', '--nostream', '--lines', '20')).toMatch(
    /n8n-main .* Execution \d+ \(job \d+\) finished/,
  )
})

test('pm2 stop ends every process and what it had started, in n8n’s own order', async () => {
  const pids = (await pm2.list()).map(({ pid }) => pid)
  await pm2.run('stop', 'all')
  expect((await Promise.all(pids.map(groupMembers))).flat()).toEqual([])
  expect(await readFile(join(pm2.logs, 'n8n-worker-0-out.log'), 'utf8')).toContain('Stopping worker...')
}, 300_000)
