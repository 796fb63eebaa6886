// SQLite has one writer, and as n8n opens it each commit keeps that until the disk has its journal; an execution is three
// or four of them. While writers wait for one another, the writer is free for the next one at once here, and who has committed
// waits for the disk with all the others who have: n8n goes on when the journal is there, as ever. Where nobody waits for
// the writer SQLite is left to sync itself, which takes less of the CPU.
const fs = require('fs')
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (runner.test(file)) commitsWait(this.exports.SqliteReadWriteQueryRunner?.prototype ?? {})
  if (library.test(file)) journalsAreKnown(this.exports.SqliteLibrary?.prototype ?? {})
  return compiled
}

const runner = /[\\/]sqlite-pooled[\\/]SqliteReadWriteQueryRunner\.js$/
const library = /[\\/]sqlite-pooled[\\/]SqliteLibrary\.js$/

/** Whether there is somebody to wait; else each commit is left to do so itself. */
let waits = false

function commitsWait(prototype) {
  const { commitTransaction, isReadQuery, query } = prototype
  if (!commitTransaction || !isReadQuery || !query) return
  prototype.commitTransaction = function () {
    return synced(this, () => commitTransaction.call(this))
  }
  prototype.query = function (sql, ...rest) {
    const run = () => query.call(this, sql, ...rest)
    return this.trxDbLease || this.isReadQuery(sql) ? run() : synced(this, run)
  }
  waits = true
}

async function synced(runner, write) {
  const { database } = runner.options
  const ours = journals.get(database)?.ours
  const result = await write()
  const journal = journals.get(database)
  journal?.crowds(runner)
  // Whoever syncs was changed between two writes, and this one may have been on either side of it.
  if (ours || journal?.ours) await journal?.onDisk(runner)
  return result
}

/** By database: its write-ahead journal, which is one as long as there are connections. */
const journals = new Map()

function journalsAreKnown(prototype) {
  const { createDatabaseConnection, destroyDatabaseConnection, runQuery } = prototype
  if (!createDatabaseConnection || !destroyDatabaseConnection || !runQuery) return
  prototype.createDatabaseConnection = async function (...flags) {
    const connection = await createDatabaseConnection.apply(this, flags)
    const { database, enableWAL } = this.options
    if (!waits || !enableWAL) return connection
    if (!journals.has(database)) journals.set(database, journalAt(`${database}-wal`))
    const journal = journals.get(database)
    journal.connections++
    if (journal.ours) await this.runQuery(connection, lazily)
    return connection
  }
  prototype.destroyDatabaseConnection = async function (connection) {
    await destroyDatabaseConnection.call(this, connection)
    const journal = journals.get(this.options.database)
    if (!journal || --journal.connections > 0) return
    journals.delete(this.options.database)
    journal.close()
  }
}

const [lazily, atOnce] = ['PRAGMA synchronous = NORMAL', 'PRAGMA synchronous = FULL']

function journalAt(path) {
  // `ours`: whether SQLite leaves the sync of a commit to us.
  const journal = { connections: 0, ours: false, crowds, onDisk, close }
  let file
  let last = Promise.resolve()
  let next = null
  let crowd = 0
  let turning = false

  /** How often the writer was waited for, of late, decides who syncs. */
  function crowds(runner) {
    crowd += (Number(isAwaited(runner)) - crowd) / 32
    if (!turning && (journal.ours ? crowd < 0.1 : crowd > 0.5)) turn(runner, !journal.ours)
  }

  /** Until it is known that SQLite syncs, we do. */
  async function turn({ writePool, sqliteLibrary }, ours) {
    turning = true
    journal.ours = true
    const nobody = { requestRelease() {} }
    const turned = writePool.runExclusive(nobody, ({ connection }) => sqliteLibrary.runQuery(connection, ours ? lazily : atOnce))
    await turned.then(() => (journal.ours = ours), () => {})
    turning = false
  }

  /** Who comes during a sync may be too late for it, and waits for the next one. */
  function onDisk(runner) {
    next ??= last = last.catch(() => {}).then(() => gather(runner)).then(() => {
      next = null
      return sync()
    })
    return next
  }

  async function sync() {
    try {
      file ??= await asked(fs.open, path, 'r')
    } catch (error) {
      // Nothing was ever committed.
      if (error.code === 'ENOENT') return
      throw error
    }
    await asked(fs.fdatasync, file)
  }

  function close() {
    last.catch(() => {}).then(() => file !== undefined && fs.close(file, () => {}))
  }

  return journal
}

const isAwaited = ({ writePool }) => writePool?.writeConnectionMutex?.isLocked?.() ?? false

/** While somebody writes there will soon be more who wait, and on a quick disk a sync for each takes more of the CPU than it saves. */
const gather = (runner) => isAwaited(runner) && new Promise((resolve) => setTimeout(resolve, 2))

const asked = (call, ...args) => new Promise((resolve, reject) => call(...args, (error, result) => (error ? reject(error) : resolve(result))))
