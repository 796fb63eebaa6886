import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../support/each-way.ts'

describe('knownQueries', () => {
  /** Two databases of one process, in which the same names mean other columns; it tells every query, and how often one was looked through. */
  const script = `
    const { dirname, join } = require('path')
    const looking = require(join(dirname(require.resolve('@n8n/typeorm')), 'util/escapeRegExp'))
    const { escapeRegExp } = looking
    let looked = 0
    looking.escapeRegExp = (name) => (looked++, escapeRegExp(name))
    const { DataSource, EntitySchema, In } = require('@n8n/typeorm')
    const people = (first) => new EntitySchema({ name: 'Person', columns: { id: { type: Number, primary: true }, firstName: { type: String, name: first } } })
    const open = (first) => new DataSource({ type: 'sqlite-pooled', database: ':memory:', poolSize: 1, acquireTimeout: 60_000, destroyTimeout: 5_000, entities: [people(first)] }).initialize()
    const main = async () => {
      const sources = [await open('first'), await open('given')]
      const queries = []
      for (let round = 0; round < 3; round++) {
        for (const source of sources) {
          const of = (name) => source.createQueryBuilder('Person', name)
          queries.push(
            of('one').where('one.firstName = :name', { name: 'Ada' + round }).getQueryAndParameters(),
            of('other').where('other.firstName = :name').getQuery(),
            of('one').update({ firstName: 'Ada' }).where('firstName = :name').getQuery(),
            of('one').where({ id: In(Array.from({ length: 4000 }, (_, i) => i)) }).getQuery().length)
        }
      }
      console.log(JSON.stringify({ queries, looked }))
    }
    main()`

  test('has the queries of before, and looks through each text once', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'knownQueries', script) as Record<string, { queries: unknown[]; looked: number }>
    expect(preloaded!.queries).toEqual(plain!.queries)
    expect(plain!.queries[0]).toEqual([expect.stringContaining('"one"."first" = ?'), ['Ada0']])
    expect(plain!.queries[4]).toEqual([expect.stringContaining('"one"."given" = ?'), ['Ada0']])
    expect(plain!.looked).toBe(24)
    // The long ones each time.
    expect(preloaded!.looked).toBe(6 + 6)
  })
})

describe('keptStatements', () => {
  /** A database as n8n opens it; it tells what its queries said, how many compiled ones were given up when the same came again, and which files stayed open. */
  const script = `
    const { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } = require('fs')
    const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    const { prototype } = require('sqlite3').Statement
    const { finalize } = prototype
    let given = 0
    prototype.finalize = function (...rest) { given++; return finalize.apply(this, rest) }
    const { DataSource } = require('@n8n/typeorm')
    const main = async () => {
      const source = await new DataSource({ type: 'sqlite-pooled', database: folder + '/database.sqlite', enableWAL: true, poolSize: 1, acquireTimeout: 60_000, destroyTimeout: 5_000 }).initialize()
      const said = []
      const ask = (query, values, by = source) => by.query(query, values).then((answer) => said.push(answer), (error) => said.push(error.message))
      await ask('CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT UNIQUE)')
      for (const name of ['one', 'two', 'two', 'three']) await ask('INSERT INTO kept (name) VALUES (?)', [name])
      for (const id of [1, 2, 3, 4, 1]) await ask('SELECT * FROM kept WHERE id = ?', [id])
      await ask('UPDATE kept SET name = ? WHERE id = ?', ['first', 1])
      await ask('UPDATE kept SET name = ? WHERE id = ?', ['none', 9])
      for (const way of ['kept', 'not kept']) await source.transaction(async (by) => {
        await ask('INSERT INTO kept (name) VALUES (?)', [way], by)
        await Promise.all([ask('SELECT count(*) AS rows FROM kept', [], by), ask('SELECT count(*) AS rows FROM kept', [], by)])
        if (way === 'not kept') throw new Error('rolled back')
      }).catch(({ message }) => said.push(message))
      for (let i = 0; i < 2; i++) await ask('SELECT absent FROM kept')
      await Promise.all([ask('SELECT other FROM kept'), ask('SELECT other FROM kept')])
      await ask('ALTER TABLE kept ADD COLUMN more')
      await ask('SELECT * FROM kept WHERE id = ?', [1])
      await ask('INSERT INTO kept (name) VALUES (?) RETURNING id', ['with an answer'])
      await ask('VACUUM')
      const until = given
      for (let i = 0; i < 100; i++) await ask('SELECT * FROM kept WHERE id = ?', [i])
      const again = given - until
      for (let i = 0; i < 300; i++) await ask('SELECT ' + i + ' AS number')
      await source.destroy()
      const open = readdirSync('/proc/self/fd').flatMap((file) => existsSync('/proc/self/fd/' + file) ? readlinkSync('/proc/self/fd/' + file) : []).filter((file) => file.startsWith(folder))
      rmSync(folder, { recursive: true })
      console.log(JSON.stringify({ said, again, open }))
    }
    main()`

  test('has queries answered and failures named as before, compiles none again, and lets the database close', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'keptStatements', script) as Record<string, { said: unknown[] }>
    expect(plain).toMatchObject({ again: 100, open: [] })
    expect(preloaded).toEqual({ said: plain!.said, again: 0, open: [] })
    expect(plain!.said).toEqual(expect.arrayContaining([2, expect.stringContaining('UNIQUE'), [{ id: 3, name: 'three' }], [{ rows: 5 }], 'rolled back', expect.stringContaining('no such column: absent'), [{ id: 1, name: 'first', more: null }]]))
  })
})
