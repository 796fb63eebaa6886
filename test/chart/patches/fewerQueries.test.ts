import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { eachWay } from '../../support/each-way.ts'
import { patchFiles } from '../../support/patch-files.ts'
import { startN8n, type N8n } from '../../support/n8n.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { finding } from './readers-of-books.ts'

const folder = temporaryFolder()
const tellsQueries = join(import.meta.dirname, '../../support/tells-queries.cjs')

const webhook = (path: string, responseMode: string) => ({
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  webhookId: path,
  parameters: { path, httpMethod: 'GET', responseMode, options: {} },
})

/** One that calls another and one that waits for a caller, as n8n's editor would export them. */
const workflows = {
  parent: [
    webhook('parent', 'lastNode'),
    {
      name: 'Call',
      type: 'n8n-nodes-base.executeWorkflow',
      typeVersion: 1.2,
      parameters: { source: 'database', workflowId: { __rl: true, mode: 'id', value: 'child' }, options: {} },
    },
  ],
  child: [
    {
      name: 'Called',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      parameters: { inputSource: 'passthrough' },
    },
    { name: 'Nothing', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
  ],
  waiting: [
    webhook('waiting', 'responseNode'),
    {
      name: 'Answer',
      type: 'n8n-nodes-base.respondToWebhook',
      typeVersion: 1.1,
      parameters: { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}', options: {} },
    },
    {
      name: 'Wait',
      type: 'n8n-nodes-base.wait',
      typeVersion: 1.1,
      webhookId: 'wait',
      parameters: { resume: 'webhook', options: {} },
    },
  ],
}

const files = () =>
  Promise.all(
    Object.entries(workflows).map(([id, nodes]) => {
      const placed = nodes.map((node, index) => ({ id: `${id}-${index}`, position: [index * 200, 0], ...node }))
      const connections = Object.fromEntries(
        placed
          .slice(1)
          .map(({ name }, index) => [placed[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
      )
      return write(folder, `${id}.json`, {
        id,
        name: id,
        active: false,
        nodes: placed,
        connections,
        settings: { executionOrder: 'v1' },
      })
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

  /**
   * A workflow that calls another, then one that waits and is gone on with: what n8n asks for the first two, and what
   * its database says of all.
   */
  async function ask(way: string, patches: Record<string, string>, preload: string[]): Promise<Asked> {
    const database = join(folder, `${way}.sqlite`)
    const n8n = await startN8n('2.41.1', await files(), {
      env: {
        ...patches,
        DB_SQLITE_DATABASE: database,
        NODE_OPTIONS: [tellsQueries, ...preload].map((file) => `--require ${file}`).join(' '),
      },
    })
    try {
      return await asked(n8n, database)
    } finally {
      await n8n.stop()
    }
  }

  async function asked(n8n: N8n, file: string): Promise<Asked> {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = () => database.prepare('SELECT * FROM execution_entity ORDER BY id').all() as Row[]
    const statuses = () =>
      rows()
        .map(({ status }) => status)
        .join(' ')
    const reach = async (wanted: string) => {
      if (!(await until(async () => statuses() === wanted, { timeout: 20_000, every: 20 })))
        throw new Error(`Expected executions ${wanted}, got ${statuses()}:\n${n8n.log().slice(-2000)}`)
    }
    const before = n8n.log().length
    await (await fetch(`${n8n.url}/webhook/parent`)).text()
    await reach('success success')
    const queries = n8n
      .log()
      .slice(before)
      .split('\n')
      .filter((line) => line.startsWith('query: '))
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
    ways.plain = await ask('plain', {}, [])
    ways.patched = await ask('patched', { N8N_TUNED_PATCHES: 'fewerQueries' }, [patchFiles(join(folder, 'patches'))])
  }, 300_000)

  test('marks each execution as running once, and does not read what it knows', () => {
    expect(ways.plain!.statements).toEqual({
      inserted: 2,
      'read again': 2,
      'marked as running': 4,
      read: 6,
      'key of the published version': 2,
    })
    expect(ways.patched!.statements).toEqual({
      inserted: 2,
      'read again': 0,
      'marked as running': 2,
      read: 1,
      'key of the published version': 0,
    })
  })

  test('leaves the same executions in the database', () => {
    const comparable = ({ rows }: Asked) =>
      rows.map(({ createdAt, startedAt, stoppedAt, jsonSizeBytes, workflowVersionId, ...row }) => ({
        ...row,
        inTime: String(createdAt) <= startedAt && startedAt <= String(stoppedAt),
        sized: Number(jsonSizeBytes) > 0,
        ofVersion: typeof workflowVersionId,
      }))
    expect(comparable(ways.patched!)).toEqual(comparable(ways.plain!))
    expect(ways.plain!.rows).toHaveLength(3)
  })

  test('keeps when an execution began that waited in between', () => {
    expect(ways.plain!.startedBeforeItWaited).toBe(true)
    expect(ways.patched!.startedBeforeItWaited).toBe(true)
  })

  test('finds the same by key with one statement, and leaves other searches alone', () => {
    const { plain, patched } = eachWay('2.41.1', 'fewerQueries', finding) as Record<
      string,
      { one: { books?: unknown[] } | null; queries: number }[]
    >
    expect(patched!.map(({ one }) => one)).toEqual(plain!.map(({ one }) => one))
    expect(plain![0]!.one!.books).toHaveLength(3)
    expect(plain!.map(({ queries }) => queries)).toEqual([2, 1, 1, 2, 2, 2, 2, 2, 1])
    expect(patched!.map(({ queries }) => queries)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 1])
  })
})
