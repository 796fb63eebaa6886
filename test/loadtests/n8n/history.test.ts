import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { parse, stringify } from 'flatted'
import { executionsOf } from '../../../loadtests/src/n8n/execution-data.ts'
import { openExecutions } from '../../../loadtests/src/n8n/executions.ts'
import { seedPast, type Past } from '../../../loadtests/src/n8n/history.ts'
import { postgresqlLogin, sqliteFile, type Settings } from '../../../loadtests/src/n8n/settings.ts'
import { refusalOf } from '../../support/refusal.ts'
import { kinds, openTables, type Tables } from '../../support/execution-tables.ts'

/** Into a real SQLite and a real PostgreSQL with n8n's tables. */

const data = stringify({
  resultData: { lastNodeExecuted: 'Respond', runData: { Respond: [{ startTime: 1, executionTime: 2 }] } },
})

describe.each(kinds)('in %s', (kind) => {
  let tables: Tables
  beforeAll(async () => void (tables = await openTables(kind)), 60_000)
  afterAll(() => tables.close())
  beforeEach(() => tables.empty())

  const rows = async (settings: Settings, sql: string): Promise<Record<string, unknown>[]> => {
    if (kind === 'sqlite') {
      const database = new DatabaseSync(sqliteFile(settings), { readOnly: true })
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    }
    const client = new pg.Client(postgresqlLogin(settings))
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const told: number[] = []
  const seed = (executions: number, over: Partial<Past> = {}, settings: Settings = {}) =>
    seedPast(
      { ...tables.settings, ...settings },
      {
        executions,
        workflows: ['a', 'b'],
        signal: new AbortController().signal,
        refuse: () => {},
        onProgress: (seeded) => void told.push(seeded),
        ...over,
      },
    )
  const template = async (workflow = 'a') => {
    const id = await tables.insert({ workflow, status: 'success' })
    await tables.replaceData(id, data)
    return id
  }

  test('so many are made of the real ones, of each workflow, and one of 20 has failed', async () => {
    await template('a')
    await template('b')
    await tables.insert({ workflow: 'c', status: 'success' })
    await seed(400)
    const found = await rows(
      tables.settings,
      'SELECT "workflowId" AS workflow, status, count(*) AS count FROM execution_entity GROUP BY 1, 2 ORDER BY 1, 2',
    )
    const count = Object.fromEntries(found.map((row) => [`${row.workflow} ${row.status}`, Number(row.count)]))
    expect(count).toEqual({ 'a success': 181, 'a error': 20, 'b success': 201, 'c success': 1 })
  })

  test('one that failed has the data of one that failed, and the others that of the real one', async () => {
    const real = await template()
    await seed(20)
    const all = await executionsOf(tables.settings, ['a'], real)
    expect(all.filter(({ error }) => error !== null).map(({ status }) => status)).toEqual(['error'])
    const [kept] = await rows(tables.settings, `SELECT data FROM execution_data WHERE "executionId" = ${real + 1}`)
    expect(parse(kept!.data as string)).toEqual(parse(data))
  })

  test('n8n goes on with numbers after theirs', async () => {
    await template()
    await seed(50)
    const next = await tables.insert({ workflow: 'a', status: 'success' })
    const [most] = await rows(tables.settings, `SELECT max(id) AS id FROM execution_entity WHERE id < ${next}`)
    expect(Number(most!.id)).toBe(next - 1)
  })

  test('they are as old as n8n keeps them at the most, and an hour at the least', async () => {
    await template()
    const { hours } = await seed(50, {}, { EXECUTIONS_DATA_MAX_AGE: '100' })
    expect(hours).toBe(90)
    const [row] = await rows(
      tables.settings,
      'SELECT min("startedAt") AS first, max("startedAt") AS last FROM execution_entity WHERE "startedAt" IS NOT NULL',
    )
    const ago = (value: unknown) =>
      (Date.now() - (value instanceof Date ? value.getTime() : Date.parse(`${value as string}Z`))) / 3_600_000
    expect(ago(row!.first)).toBeGreaterThan(80)
    expect(ago(row!.first)).toBeLessThan(91)
    expect(ago(row!.last)).toBeGreaterThanOrEqual(1)
  })

  test('n8n counts all of them, and none is under way', async () => {
    await template()
    await seed(60)
    const database = openExecutions(tables.settings)
    try {
      expect(await database.size()).toMatchObject({ kept: 61 })
      expect(await database.open(0)).toEqual({ count: 0, first: null })
    } finally {
      await database.close()
    }
  })

  test('one that has not ended yet is waited for', async () => {
    const id = await tables.insert({ workflow: 'a', status: 'running' })
    await tables.replaceData(id, data)
    const seeded = seed(10)
    await tables.change(id, { status: 'success' })
    await seeded
    expect(await rows(tables.settings, 'SELECT id FROM execution_entity')).toHaveLength(11)
  })

  test('without a real one there is nothing to make them of', async () => {
    await tables.insert({ workflow: 'a', status: 'error' })
    expect(await refusalOf(() => seed(10))).toMatchObject({ code: 'no-templates' })
  })

  test('nothing is written where it has no room', async () => {
    await template()
    const refuse = (bytes: number) => {
      if (bytes > 10_000) throw new Error('no room')
    }
    await expect(seed(100, { refuse })).rejects.toThrow('no room')
    expect(await rows(tables.settings, 'SELECT id FROM execution_entity')).toHaveLength(1)
  })

  test('one that is interrupted ends after a part', async () => {
    await template()
    const abort = new AbortController()
    told.length = 0
    const onProgress = (seeded: number) => {
      told.push(seeded)
      abort.abort()
    }
    await expect(seed(200_000, { signal: abort.signal, onProgress })).rejects.toThrow('aborted')
    expect(told).toEqual([kind === 'sqlite' ? 5000 : 50_000])
  }, 60_000)
})
