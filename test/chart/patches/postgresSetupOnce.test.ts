import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'

describe('postgresSetupOnce', () => {
  let postgresql: PostgresqlServer
  beforeAll(async () => {
    postgresql = await startPostgresql()
  })
  afterAll(() => postgresql.stop())

  /**
   * Runs queries one after the other, two at once, after a transaction, after a failed one, after one that took too
   * long, and after a lost connection. Reports how often connections got settings, and which settings apply to them.
   */
  const script = (port: number, password: string) => `
    const { Client } = require('pg')
    const { query } = Client.prototype
    const told = []
    Client.prototype.query = function (text, ...rest) {
      if (/^SET/.test(text)) told.push(text)
      return query.call(this, text, ...rest)
    }
    const { DataSource } = require('@n8n/typeorm')
    const main = async () => {
      const source = await new DataSource({
        type: 'postgres',
        host: '127.0.0.1',
        port: ${port},
        username: 'n8n',
        password: '${password}',
        database: 'n8n',
        schema: 'other',
        statementTimeout: 1234,
        poolSize: 2,
      }).initialize()
      const holds = async () => [
        ...await source.query('SHOW search_path'),
        ...await source.query('SHOW statement_timeout'),
      ]
      const steps = []
      const step = async (doing) => { told.length = 0; steps.push({ holds: await doing(), told: told.length }) }
      await step(holds)
      const beside = (query) => Promise.all([source.query(query), holds()]).then(([, answer]) => answer)
      const inTransaction = async (by) => {
        await by.query('SET LOCAL statement_timeout = 1')
        return []
      }
      await step(() => beside('SELECT pg_sleep(0.2), 1 AS one'))
      await step(() => source.transaction(inTransaction).then(holds))
      await step(() => source.query('SELECT absent').catch(() => []).then(holds))
      await step(() => source.query('SELECT pg_sleep(5)').catch(({ message }) => message))
      const others = 'pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = current_user'
      await source.query('SELECT pg_terminate_backend(pid) FROM ' + others)
      // Until the pool has heard of it.
      while (source.driver.master.totalCount > 1) await new Promise(setImmediate)
      await step(() => beside('SELECT pg_sleep(0.2)'))
      await source.destroy()
      console.log(JSON.stringify(steps))
    }
    main()`

  test('tells a connection once what n8n tells it each time, and the same holds', () => {
    const { plain, patched } = eachWay(
      '2.41.1',
      'postgresSetupOnce',
      script(postgresql.port, postgresql.password),
    ) as Record<string, { holds: unknown; told: number }[]>
    expect(patched!.map(({ holds }) => holds)).toEqual(plain!.map(({ holds }) => holds))
    expect(plain![0]!.holds).toEqual([{ search_path: 'other, public' }, { statement_timeout: '1234ms' }])
    expect(plain!.map(({ told }) => told)).toEqual([4, 6, 7, 6, 2, 6])
    expect(patched!.map(({ told }) => told)).toEqual([0, 2, 1, 0, 0, 2])
  })
})
