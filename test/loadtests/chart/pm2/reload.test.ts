import { readFileSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { render } from '../../../../loadtests/src/chart/render.ts'
import { paths } from '../../../../loadtests/src/lib/paths.ts'
import { ecosystemOf } from '../../../../loadtests/src/chart/pm2/ecosystem.ts'
import { ask, startLoad } from '../../../support/pm2/load.ts'
import { freeRange, openPm2 } from '../../../support/pm2/pm2.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'

/**
 * Under the real PM2, with a small program in place of n8n: it listens before it is ready, and ends without waiting for
 * callers.
 */

// Before the folder goes.
afterAll(() => pm2.run('kill'))
const folder = temporaryFolder()
const firstPort = await freeRange(5)
const webhook = `http://127.0.0.1:${firstPort + 2}/webhook/any`
const pm2 = openPm2(folder, process.execPath, {
  TMPDIR: folder,
  DB_POSTGRESDB_PASSWORD: '',
  N8N_ENCRYPTION_KEY: '',
  QUEUE_BULL_REDIS_PASSWORD: '',
})
const logOf = (app: string) => readFileSync(join(pm2.logs, `${app}-out.log`), 'utf8')

beforeAll(async () => {
  const plan = await render(
    {
      image: { tag: '2.41.1' },
      executions: { mode: 'queue' },
      database: { type: 'embedded' },
      worker: { replicas: 1 },
      webhook: { replicas: 2 },
    },
    { secretsElsewhere: true },
  )
  await mkdir(join(folder, 'node_modules/n8n/bin'), { recursive: true })
  await mkdir(join(folder, '.n8n-tuned/worker-0'), { recursive: true })
  await write(folder, 'node_modules/n8n/package.json', { version: '2.41.1' })
  await copyFile(
    join(import.meta.dirname, '../../../support/pm2/stand-in.cjs'),
    join(folder, 'node_modules/n8n/bin/n8n'),
  )
  await write(
    folder,
    'ecosystem.config.cjs',
    ecosystemOf(plan, { firstPort, preload: await readFile(paths.pm2Preload, 'utf8'), command: 'test' }),
  )
  await pm2.run('start', 'ecosystem.config.cjs')
})

test('pm2 start ends when all processes are ready', async () => {
  expect(await ask(webhook)).toBe(200)
  expect((await pm2.list()).map(({ name, pm2_env }) => `${name} ${pm2_env.status}`).sort()).toEqual([
    'n8n-main online',
    'n8n-webhook online',
    'n8n-webhook online',
    'n8n-worker-0 online',
  ])
})

test('no request fails while pm2 reload puts both in another’s place', async () => {
  const before = (await pm2.list()).map(({ pid }) => pid)
  const load = startLoad(webhook, 10)
  await pm2.run('reload', 'n8n-webhook')
  expect(Object.keys(await load.stop())).toEqual(['200'])
  expect((await pm2.list()).filter(({ pid }) => !before.includes(pid)).map(({ name }) => name)).toEqual([
    'n8n-webhook',
    'n8n-webhook',
  ])
})

test('the old ones hear that they should end when their callers have their answers', async () => {
  expect(logOf('n8n-webhook').match(/Stopping/g)).toHaveLength(2)
})

test('processes that share a port have folders of their own, which go with them', async () => {
  const folders = [...logOf('n8n-webhook').matchAll(/webhook in (.+)/g)].map(([, place]) => place!)
  expect(new Set(folders).size).toBe(4)
  const left = readdirSync(folder).filter((name) => name.startsWith('n8n-'))
  expect(left.map((name) => join(folder, name)).sort()).toEqual(folders.slice(2).sort())
})
