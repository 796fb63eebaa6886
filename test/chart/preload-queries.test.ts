import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/await.ts'
import { paths } from '../../loadtests/src/paths.ts'
import { eachWay } from '../support/each-way.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

const folder = temporaryFolder()
const tellsQueries = join(import.meta.dirname, '../support/tells-queries.cjs')

const webhook = (path: string, responseMode: string) => ({ name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path, parameters: { path, httpMethod: 'GET', responseMode, options: {} } })

/** One that calls another and one that waits for a caller, as n8n's editor would export them. */
const workflows = {
  parent: [webhook('parent', 'lastNode'), { name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters: { source: 'database', workflowId: { __rl: true, mode: 'id', value: 'child' }, options: {} } }],
  child: [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1, parameters: { inputSource: 'passthrough' } }, { name: 'Nothing', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }],
  waiting: [
    webhook('waiting', 'responseNode'),
    { name: 'Answer', type: 'n8n-nodes-base.respondToWebhook', typeVersion: 1.1, parameters: { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}', options: {} } },
    { name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, webhookId: 'wait', parameters: { resume: 'webhook', options: {} } },
  ],
}

const files = () =>
  Promise.all(
    Object.entries(workflows).map(([id, nodes]) => {
      const placed = nodes.map((node, index) => ({ id: `${id}-${index}`, position: [index * 200, 0], ...node }))
      const connections = Object.fromEntries(placed.slice(1).map(({ name }, index) => [placed[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]))
      return write(folder, `${id}.json`, { id, name: id, active: false, nodes: placed, connections, settings: { executionOrder: 'v1' } })
    }),
  )

describe('fewerQueries', () => {
  type Row = Record<string, unknown> & { startedAt: string }
  interface Asked {
    rows: Row[]
    startedBeforeItWaited: boolean
    statements: Record<string, number>
  }
  const ways: Record<string, Asked> = {}

  /** A workflow that calls another, then one that waits and is gone on with: what n8n asks for the first two, and what its database says of all. */
  async function ask(way: string, preload: string[]): Promise<Asked> {
    const database = join(folder, `${way}.sqlite`)
    const n8n = await startN8n('2.41.1', await files(), { env: { DB_SQLITE_DATABASE: database, NODE_OPTIONS: [tellsQueries, ...preload].map((file) => `--require ${file}`).join(' ') } })
    try {
      return await asked(n8n, database)
    } finally {
      await n8n.stop()
    }
  }

  async function asked(n8n: N8n, file: string): Promise<Asked> {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = () => database.prepare('SELECT * FROM execution_entity ORDER BY id').all() as Row[]
    const statuses = () => rows().map(({ status }) => status).join(' ')
    const reach = async (wanted: string) => {
      if (!(await until(async () => statuses() === wanted, { timeout: 20_000, every: 20 }))) throw new Error(`Expected executions ${wanted}, got ${statuses()}:\n${n8n.log().slice(-2000)}`)
    }
    const before = n8n.log().length
    await (await fetch(`${n8n.url}/webhook/parent`)).text()
    await reach('success success')
    const queries = n8n.log().slice(before).split('\n').filter((line) => line.startsWith('query: '))
    const goOn = await (await fetch(`${n8n.url}/webhook/waiting`)).text()
    await reach('success success waiting')
    const waited = rows()[2]!.startedAt
    await (await fetch(goOn)).text()
    await reach('success success success')
    const all = rows()
    database.close()
    const count = (pattern: RegExp) => queries.filter((query) => pattern.test(query)).length
    return {
      rows: all,
      startedBeforeItWaited: all[2]!.startedAt === waited,
      statements: {
        inserted: count(/INSERT INTO "execution_entity"/),
        'read again': count(/SELECT "ExecutionEntity"."id" AS "ExecutionEntity_id", "ExecutionEntity"."deletedAt"/),
        'marked as running': count(/UPDATE "execution_entity" SET "status" = \?, "startedAt"/),
        read: count(/SELECT "ExecutionEntity"."id" AS "ExecutionEntity_id", "ExecutionEntity"."finished"/),
        'key of the published version': count(/FROM \(SELECT "WorkflowPublishedVersion"/),
      },
    }
  }

  beforeAll(async () => {
    ways.plain = await ask('plain', [])
    ways.preloaded = await ask('preloaded', [join(paths.chart, 'files/preload/fewerQueries.js')])
  }, 120_000)

  test('marks each execution as running once, and does not read what it knows', () => {
    expect(ways.plain!.statements).toEqual({ inserted: 2, 'read again': 2, 'marked as running': 4, read: 6, 'key of the published version': 2 })
    expect(ways.preloaded!.statements).toEqual({ inserted: 2, 'read again': 0, 'marked as running': 2, read: 1, 'key of the published version': 0 })
  })

  test('leaves the same executions in the database', () => {
    const comparable = ({ rows }: Asked) => rows.map(({ createdAt, startedAt, stoppedAt, jsonSizeBytes, workflowVersionId, ...row }) => ({ ...row, inTime: String(createdAt) <= startedAt && startedAt <= String(stoppedAt), sized: Number(jsonSizeBytes) > 0, ofVersion: typeof workflowVersionId }))
    expect(comparable(ways.preloaded!)).toEqual(comparable(ways.plain!))
    expect(ways.plain!.rows).toHaveLength(3)
  })

  test('keeps when an execution began that waited in between', () => {
    expect(ways.plain!.startedBeforeItWaited).toBe(true)
    expect(ways.preloaded!.startedBeforeItWaited).toBe(true)
  })

  /** Readers of books, by key and otherwise; it tells what was found, and how many statements that took. */
  const finding = `
    const { mkdtempSync, rmSync } = require('fs')
    const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    const { DataSource, EntitySchema, In } = require('@n8n/typeorm')
    const text = { type: String }
    const Reader = new EntitySchema({ name: 'Reader', columns: { id: { ...text, primary: true }, name: text }, relations: { books: { type: 'one-to-many', target: 'Book', inverseSide: 'reader' } } })
    const Book = new EntitySchema({ name: 'Book', columns: { shelf: { ...text, primary: true }, place: { ...text, primary: true }, readerId: text }, relations: { reader: { type: 'many-to-one', target: 'Reader', joinColumn: { name: 'readerId' }, inverseSide: 'books' } } })
    const main = async () => {
      let queries = 0
      const source = await new DataSource({ type: 'sqlite-pooled', database: folder + '/database.sqlite', enableWAL: true, poolSize: 1, acquireTimeout: 60_000, destroyTimeout: 5_000, synchronize: true, entities: [Reader, Book], logging: ['query'], logger: { logQuery: () => queries++, logQueryError() {}, logQuerySlow() {}, logSchemaBuild() {}, logMigration() {}, log() {} } }).initialize()
      const { manager } = source
      await manager.insert(Reader, [{ id: 'a', name: 'Ada' }, { id: 'b', name: 'Ada' }])
      await manager.insert(Book, [1, 2, 3].map((place) => ({ shelf: 's', place: String(place), readerId: 'a' })))
      const found = []
      const find = async (entity, options) => {
        queries = 0
        const one = await manager.findOne(entity, options)
        found.push({ one, queries })
      }
      const relations = { books: true }
      await find(Reader, { where: { id: 'a' }, relations, order: { books: { place: 'DESC' } } })
      await find(Reader, { where: { id: 'a', name: 'Eve' }, relations })
      await find(Reader, { where: { id: 'none' }, relations })
      await find(Book, { where: { shelf: 's', place: '2' }, relations: { reader: true } })
      await find(Book, { where: { shelf: 's' }, relations: { reader: true } })
      await find(Reader, { where: { name: 'Ada' }, relations })
      await find(Reader, { where: { id: In(['b', 'a']) }, relations })
      await find(Reader, { where: [{ id: 'b' }, { id: 'a' }], relations })
      await find(Reader, { where: { id: 'a' } })
      await source.destroy()
      rmSync(folder, { recursive: true })
      console.log(JSON.stringify(found))
    }
    main()`

  test('finds the same by key with one statement, and leaves other searches alone', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'fewerQueries', finding) as Record<string, { one: { books?: unknown[] } | null; queries: number }[]>
    expect(preloaded!.map(({ one }) => one)).toEqual(plain!.map(({ one }) => one))
    expect(plain![0]!.one!.books).toHaveLength(3)
    expect(plain!.map(({ queries }) => queries)).toEqual([2, 1, 1, 2, 2, 2, 2, 2, 1])
    expect(preloaded!.map(({ queries }) => queries)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 1])
  })
})

describe('settledConnections', () => {
  let postgresql: PostgresqlServer
  beforeAll(async () => {
    postgresql = await startPostgresql()
  })
  afterAll(() => postgresql.stop())

  /** Queries one after the other, two at once, after a transaction, a failed query, one that took too long, and when a connection was lost; it tells how often connections were told something, and what holds on them. */
  const script = (port: number, password: string) => `
    const { Client } = require('pg')
    const { query } = Client.prototype
    const told = []
    Client.prototype.query = function (text, ...rest) { if (/^SET/.test(text)) told.push(text); return query.call(this, text, ...rest) }
    const { DataSource } = require('@n8n/typeorm')
    const main = async () => {
      const source = await new DataSource({ type: 'postgres', host: '127.0.0.1', port: ${port}, username: 'n8n', password: '${password}', database: 'n8n', schema: 'other', statementTimeout: 1234, poolSize: 2 }).initialize()
      const holds = async () => [...await source.query('SHOW search_path'), ...await source.query('SHOW statement_timeout')]
      const steps = []
      const step = async (doing) => { told.length = 0; steps.push({ holds: await doing(), told: told.length }) }
      await step(holds)
      await step(() => Promise.all([source.query('SELECT pg_sleep(0.2), 1 AS one'), holds()]).then(([, answer]) => answer))
      await step(() => source.transaction(async (by) => { await by.query('SET LOCAL statement_timeout = 1'); return [] }).then(holds))
      await step(() => source.query('SELECT absent').catch(() => []).then(holds))
      await step(() => source.query('SELECT pg_sleep(5)').catch(({ message }) => message))
      await source.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = current_user')
      // Until the pool has heard of it.
      while (source.driver.master.totalCount > 1) await new Promise(setImmediate)
      await step(() => Promise.all([source.query('SELECT pg_sleep(0.2)'), holds()]).then(([, answer]) => answer))
      await source.destroy()
      console.log(JSON.stringify(steps))
    }
    main()`

  test('tells a connection once what n8n tells it each time, and the same holds', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'settledConnections', script(postgresql.port, postgresql.password)) as Record<string, { holds: unknown; told: number }[]>
    expect(preloaded!.map(({ holds }) => holds)).toEqual(plain!.map(({ holds }) => holds))
    expect(plain![0]!.holds).toEqual([{ search_path: 'other, public' }, { statement_timeout: '1234ms' }])
    expect(plain!.map(({ told }) => told)).toEqual([4, 6, 7, 6, 2, 6])
    expect(preloaded!.map(({ told }) => told)).toEqual([0, 2, 1, 0, 0, 2])
  })
})
