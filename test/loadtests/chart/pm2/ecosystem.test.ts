import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { render } from '../../../../loadtests/src/chart/render.ts'
import { patchFiles } from '../../../../loadtests/src/chart/pm2/apps.ts'
import { ecosystemOf } from '../../../../loadtests/src/chart/pm2/ecosystem.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'
import type { Values } from '../../../../loadtests/src/model/experiment.ts'

/** The file is read as PM2 reads it, beside an n8n of which only the version is there. */

const folder = temporaryFolder()
const require = createRequire(import.meta.url)
const queue = {
  executions: { mode: 'queue' },
  database: { type: 'embedded' },
  webhook: { replicas: 2 },
  worker: { replicas: 2 },
}
const secrets = ['DB_POSTGRESDB_PASSWORD', 'N8N_ENCRYPTION_KEY', 'QUEUE_BULL_REDIS_PASSWORD']

const text = async (values: Values = {}, firstPort = 5678) =>
  ecosystemOf(await render({ image: { tag: '2.41.1' }, ...values }, { secretsElsewhere: true }), {
    firstPort,
    preload: 'function attend() {}',
    command: 'n8n-tuned ecosystem',
  })

interface App {
  name: string
  node_args: string[]
  env: Record<string, string>
}

let files = 0
async function read(values: Values, installed = '2.41.1', firstPort?: number): Promise<App[]> {
  const place = join(folder, String(files++))
  await mkdir(join(place, 'node_modules/n8n/bin'), { recursive: true })
  await write(place, 'node_modules/n8n/package.json', { version: installed })
  await write(place, 'node_modules/n8n/bin/n8n', '')
  return require(await write(place, 'ecosystem.config.cjs', await text(values, firstPort))).apps
}
const only = async (values: Values): Promise<App> => (await read(values))[0]!

beforeEach(() => secrets.forEach((name) => (process.env[name] = `${name} of here`)))
afterEach(() => secrets.forEach((name) => delete process.env[name]))

describe('an n8n in regular mode', () => {
  test('is one app with the heap, the memory and the time to end that the chart gives it', async () => {
    expect(
      await read({
        main: {
          resources: { limits: { memory: '2Gi' } },
          heap: { megabytes: 1000 },
          shutdown: { gracePeriodSeconds: 90 },
        },
      }),
    ).toMatchObject([
      {
        name: 'n8n-main',
        exec_mode: 'fork',
        node_args: expect.arrayContaining(['--max-old-space-size=1000']),
        max_memory_restart: '2048M',
        kill_timeout: 90_000,
      },
    ])
  })

  test('has the tuned settings, and n8n’s own where the chart is told so', async () => {
    expect((await only({})).env).toMatchObject({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', NODE_ENV: 'production' })
    expect((await only({ tuning: { tier: 'n8n-defaults' } })).env).not.toHaveProperty(
      'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE',
    )
  })

  test('loads patches from the folder beside the file, where the values ask for them', async () => {
    const [app] = await read({ tuning: { tier: 'patched' } })
    const place = join(folder, String(files - 1))
    expect(app!.node_args).toEqual(expect.arrayContaining(['--require', join(place, 'n8n-tuned-patches/loader.js')]))
    expect(app!.env.N8N_TUNED_PATCHES).toContain('fewerQueries')
    expect((await only({})).node_args.join(' ')).not.toContain('loader.js')
  })

  test('has those patches as files', async () => {
    const patched = patchFiles(await render({ image: { tag: '2.41.1' }, tuning: { tier: 'patched' } }))
    expect(Object.keys(patched)).toEqual(expect.arrayContaining(['loader.js', 'fewerQueries.js', 'verified-n8n.json']))
    expect(patchFiles(await render({ image: { tag: '2.41.1' } }))).toEqual({})
  })

  test('has no limit of memory where the chart has none', async () => {
    expect(
      await only({ main: { resources: { limits: { memory: null } } }, tuning: { settings: { heapFromLimit: false } } }),
    ).not.toHaveProperty('max_memory_restart')
  })

  test('gives Node’s options as arguments, since a cluster of PM2 has one environment at its start', async () => {
    const { node_args, env } = await only({
      main: { extraEnv: { NODE_OPTIONS: '--enable-source-maps  --max-http-header-size=9000' } },
    })
    expect(node_args).toEqual(expect.arrayContaining(['--enable-source-maps', '--max-http-header-size=9000']))
    expect(env).not.toHaveProperty('NODE_OPTIONS')
  })
})

describe('queue mode', () => {
  test('is main, webhook processors that share a port, and workers of their own', async () => {
    expect(await read(queue)).toMatchObject([
      { name: 'n8n-main', exec_mode: 'fork' },
      { name: 'n8n-webhook', exec_mode: 'cluster', instances: 2, args: ['webhook'] },
      { name: 'n8n-worker-0', exec_mode: 'fork', args: ['worker', '--concurrency=10'] },
      { name: 'n8n-worker-1', exec_mode: 'fork' },
    ])
  })

  test('gives no port twice', async () => {
    const apps = await read(queue, '2.41.1', 7000)
    const ports = apps
      .flatMap(({ env }) => ['N8N_PORT', 'N8N_RUNNERS_BROKER_PORT', 'QUEUE_HEALTH_CHECK_PORT'].map((name) => env[name]))
      .filter(Boolean)
    expect(ports).toEqual(['7000', '7001', '7002', '7004', '7003', '7006', '7005'])
  })

  test('asks each where it listens whether it is ready', async () => {
    const apps = await read(queue)
    expect(apps.map(({ env }) => env.N8N_TUNED_READY)).toEqual(
      ['5678', '5680', '5681', '5683'].map((port) => `http://127.0.0.1:${port}/healthz/readiness`),
    )
  })

  test('leaves workers folders of their own, and main the user’s', async () => {
    expect((await read(queue)).map(({ env }) => env.N8N_USER_FOLDER)).toEqual([
      undefined,
      undefined,
      join(homedir(), '.n8n-tuned/worker-0'),
      join(homedir(), '.n8n-tuned/worker-1'),
    ])
  })

  test('lets callers finish before n8n’s own time to end begins', async () => {
    const [, webhook] = await read({
      ...queue,
      webhook: { replicas: 1, shutdown: { gracePeriodSeconds: 60, gracefulSeconds: 30 } },
    })
    expect(webhook!.env).toMatchObject({ N8N_TUNED_DRAIN: '25', N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '30' })
  })

  test('looks for Redis and PostgreSQL on this machine, or where the values say', async () => {
    expect((await only(queue)).env).toMatchObject({
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: '6379',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: '5432',
    })
    expect(
      (await only({ ...queue, redis: { type: 'external', host: 'redis.example', port: 6380 } })).env,
    ).toMatchObject({ QUEUE_BULL_REDIS_HOST: 'redis.example', QUEUE_BULL_REDIS_PORT: '6380' })
  })
})

describe('secrets', () => {
  test('are not in the file, wherever they come from', async () => {
    const given = {
      ...queue,
      encryptionKey: { value: 'sesame' },
      redis: { password: { value: 'open' } },
      role: { extraEnv: { N8N_SMTP_PASS: 'hunter2', OF_NOBODY: 'hunter2' } },
      main: { extraEnv: { A_TOKEN: { valueFrom: { secretKeyRef: { name: 'mine', key: 'token' } } } } },
    }
    const said = await text(given)
    expect(said).not.toMatch(/sesame|'open'|hunter2/)
    expect(said).toContain('N8N_SMTP_PASS: process.env.N8N_SMTP_PASS')
    expect(said).toContain('OF_NOBODY: process.env.OF_NOBODY')
    expect(said).toContain('A_TOKEN: process.env.A_TOKEN')
  })

  test('come from the environment', async () => {
    expect((await only(queue)).env).toMatchObject(Object.fromEntries(secrets.map((name) => [name, `${name} of here`])))
  })

  test('that are missing are named, all of them', async () => {
    delete process.env.N8N_ENCRYPTION_KEY
    delete process.env.QUEUE_BULL_REDIS_PASSWORD
    await expect(read(queue)).rejects.toThrow(
      'Expected N8N_ENCRYPTION_KEY, QUEUE_BULL_REDIS_PASSWORD in the environment, found none.',
    )
  })
})

describe('what holds in a pod', () => {
  test('is said of this user’s home', async () => {
    const { env } = await only({
      main: { extraEnv: { N8N_CUSTOM_EXTENSIONS: '/home/node/.n8n/custom;/srv/tmp/nodes;/home/node2' } },
    })
    expect(env.N8N_CUSTOM_EXTENSIONS).toBe(`${homedir()}/.n8n/custom;/srv/tmp/nodes;/home/node2`)
  })

  test('is kept as it is, whatever characters are in it', async () => {
    const odd = {
      WORKFLOWS_DEFAULT_NAME: `it's "so"`,
      NODE_PATH: '${home} `x` /tmp \\',
      N8N_LOG_SCOPES: 'a\nb',
      CREDENTIALS_DEFAULT_NAME: '\\"',
    }
    const { env } = await only({ main: { extraEnv: odd } })
    expect(env).toMatchObject({ ...odd, NODE_PATH: `\${home} \`x\` ${homedir()}/.n8n-tuned/tmp \\` })
  })
})

test('an n8n of another version is refused, since the settings are not its own', async () => {
  await expect(read({}, '2.40.7')).rejects.toThrow('Expected n8n 2.41.1, whose settings these are, found 2.40.7.')
})

test.each([
  ['a runner beside n8n', { runner: { mode: 'external' } }, 'the container runner beside main'],
  ['the load target, which comes from a ConfigMap', { loadtest: { enabled: true } }, 'the init container'],
  [
    'a volume of the user’s',
    {
      main: {
        extraVolumes: [{ name: 'more', emptyDir: {} }],
        extraVolumeMounts: [{ name: 'more', mountPath: '/srv/more' }],
      },
    },
    'a volume of the cluster at /srv/more in main',
  ],
])('%s is refused', async (_, values: Values, said) => {
  expect(await refusalOf(() => text(values))).toMatchObject({
    code: 'not-under-pm2',
    message: expect.stringContaining(said),
  })
})
