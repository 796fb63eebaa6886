import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { chartScript } from '../support/chart-script.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { runtime, versions, type Runtime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()

const listening = async (server: Server, port = 0): Promise<number> => {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** The init container that waits for these: what it says first, and its exit code. */
function waiting(targets: string[], env: Record<string, string> = {}, node = process.execPath) {
  const child = spawn(node, ['-e', chartScript('database.js', 'wait.js')], {
    env: { WAIT_FOR: targets.join(' '), WAIT_SECONDS: '200', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const says = once(child.stdout, 'data').then(([text]) => String(text))
  return { child, says, code: once(child, 'exit').then(([code]) => code as number) }
}

const databaseEnv = ({ folder }: Runtime, postgresql: PostgresqlServer) => ({
  PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
  ...postgresqlEnv(postgresql),
})

test('waits for a port until it accepts', async () => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  const { says, code } = waiting([`tcp://127.0.0.1:${port}`])
  expect(await says).toContain(`waiting for tcp://127.0.0.1:${port}: connect ECONNREFUSED`)
  await listening(server, port)
  expect(await code).toBe(0)
  server.close()
})

test('waits for all of them', async () => {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(servers.map((server) => listening(server)))
  expect(await waiting(ports.map((port) => `tcp://127.0.0.1:${port}`)).code).toBe(0)
  for (const server of servers) server.close()
})

test('waits no longer than it is told, then lets n8n start', async () => {
  const { code } = waiting(['tcp://127.0.0.1:1'], { WAIT_SECONDS: '1' })
  expect(await code).toBe(0)
})

test.each(versions)(
  'waits until the database has every migration that n8n %s knows, whoever made them',
  async (version) => {
    const database = await startPostgresql()
    const { node, n8n } = runtime(version)
    const env = databaseEnv(runtime(version), database)
    try {
      const { child, says, code } = waiting(['schema'], env, node)
      expect(await says).toContain('relation "public.migrations" does not exist')
      expect(child.exitCode).toBeNull()
      await mkdir(join(home, version, '.n8n'), { recursive: true })
      execFileSync(node, [n8n, 'list:workflow'], {
        env: { ...env, N8N_USER_FOLDER: join(home, version) },
        stdio: 'ignore',
      })
      expect(await code).toBe(0)
      // Its query fits n8n's own tables.
      if (version === '2.41.1') expect(await waiting(['publication'], env, node).code).toBe(0)
    } finally {
      await database.stop()
    }
  },
  240_000,
)

/** The columns that it reads of n8n's tables. */
const tables = `
  CREATE TABLE workflow_published_version ("workflowId" varchar, "publishedVersionId" varchar);
  CREATE TABLE workflow_publication_outbox (
    id serial, "workflowId" varchar, "publishedVersionId" varchar, status varchar
  )`

/** Why it waits: n8n's own processor, with its default settings, while the table of what is published is empty. */
test('n8n 2.41.1 answers 404 for an active workflow that main has not published', () => {
  const { node, n8n } = runtime('2.41.1')
  const script = `
    require('reflect-metadata')
    const { WorkflowsConfig } = require('@n8n/config')
    const { LiveWebhooks } = require('./dist/webhooks/live-webhooks.js')
    const { WorkflowPublishedDataService } = require('./dist/workflows/workflow-published-data.service.js')
    const processor = Object.assign(Object.create(LiveWebhooks.prototype), {
      workflowsConfig: new WorkflowsConfig(),
      workflowPublishedDataService: Object.assign(Object.create(WorkflowPublishedDataService.prototype), {
        workflowPublishedVersionRepository: { getPublishedVersionWithRelations: async () => null },
      }),
    })
    processor.loadWebhookExecutionData('7').catch(({ httpStatusCode, message }) => {
      process.stdout.write(httpStatusCode + ' ' + message, () => process.exit())
    })`
  const said = execFileSync(node, ['-e', script], { cwd: join(dirname(n8n), '..'), encoding: 'utf8' })
  expect(said).toBe('404 Published version not found for workflow with id "7"')
})

describe('a webhook processor that waits for publication', () => {
  let postgresql: PostgresqlServer
  let database: pg.Client
  let begin: () => ReturnType<typeof waiting>
  beforeAll(async () => {
    postgresql = await startPostgresql()
    const { port, password } = postgresql
    database = new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
    await database.connect()
    const n8n = runtime('2.41.1')
    begin = () => waiting(['publication'], databaseEnv(n8n, postgresql), n8n.node)
  })
  afterAll(async () => {
    await database.end()
    await postgresql.stop()
  })

  test('goes on in a new database', async () => {
    expect(await begin().code).toBe(0)
  })

  test('waits for the tables of a publication', async () => {
    await database.query('CREATE TABLE workflow_entity (id varchar, "activeVersionId" varchar)')
    await database.query("INSERT INTO workflow_entity VALUES ('inactive', NULL)")
    const { says, code } = begin()
    expect(await says).toContain('waiting for publication: relation "public.workflow_published_version" does not exist')
    await database.query(tables)
    expect(await code).toBe(0)
  })

  test('waits until main has published each active workflow', async () => {
    await database.query("INSERT INTO workflow_entity VALUES ('active', 'second')")
    const { says, code } = begin()
    expect(await says).toContain('waiting for publication: active workflows without one: 1')
    await database.query("INSERT INTO workflow_published_version VALUES ('active', 'first')")
    expect(await code).toBe(0)
  })

  test('goes on if a workflow could not be published, but not if main tries it again', async () => {
    const attempt = (status: string) =>
      database.query(
        'INSERT INTO workflow_publication_outbox ("workflowId", "publishedVersionId", status) VALUES ($1, $2, $3)',
        ['refused', 'first', status],
      )
    await database.query("INSERT INTO workflow_entity VALUES ('refused', 'first')")
    await attempt('failed')
    await attempt('in_progress')
    const { says, code } = begin()
    expect(await says).toContain('active workflows without one: 1')
    await attempt('failed')
    expect(await code).toBe(0)
  })
})
