/** Readers of books, by key and otherwise; it tells what was found, and how many statements that took. */
export const finding = `
  const { mkdtempSync, rmSync } = require('fs')
  const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
  const { DataSource, EntitySchema, In } = require('@n8n/typeorm')
  const text = { type: String }
  const key = { ...text, primary: true }
  const Reader = new EntitySchema({
    name: 'Reader',
    columns: { id: key, name: text },
    relations: { books: { type: 'one-to-many', target: 'Book', inverseSide: 'reader' } },
  })
  const reader = { type: 'many-to-one', target: 'Reader', joinColumn: { name: 'readerId' }, inverseSide: 'books' }
  const Book = new EntitySchema({
    name: 'Book',
    columns: { shelf: { ...key }, place: { ...key }, readerId: text },
    relations: { reader },
  })
  const main = async () => {
    let queries = 0
    const nothing = () => {}
    const logger = {
      logQuery: () => queries++,
      logQueryError: nothing,
      logQuerySlow: nothing,
      logSchemaBuild: nothing,
      logMigration: nothing,
      log: nothing,
    }
    const source = await new DataSource({
      type: 'sqlite-pooled',
      database: folder + '/database.sqlite',
      enableWAL: true,
      poolSize: 1,
      acquireTimeout: 60_000,
      destroyTimeout: 5_000,
      synchronize: true,
      entities: [Reader, Book],
      logging: ['query'],
      logger,
    }).initialize()
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
