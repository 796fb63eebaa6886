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
