// SQLite has one writer, and as n8n opens it each commit keeps that until the disk has its journal; an execution is four
// of them. Here the writer is free for the next one at once, and who has committed waits for the disk with all the others
// who have: n8n goes on when the journal is there, as ever.
const fs = require('fs')
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (runner.test(file)) commitsWait(this.exports.SqliteReadWriteQueryRunner?.prototype ?? {})
  if (library.test(file)) commitsAreQuick(this.exports.SqliteLibrary?.prototype ?? {})
  return compiled
}

const runner = /[\\/]sqlite-pooled[\\/]SqliteReadWriteQueryRunner\.js$/
const library = /[\\/]sqlite-pooled[\\/]SqliteLibrary\.js$/

/** Whether there is somebody to wait; else each commit is left to do so itself. */
let waits = false

function commitsWait(prototype) {
  const { commitTransaction, isReadQuery, query } = prototype
  if (!commitTransaction || !isReadQuery || !query) return
  prototype.commitTransaction = async function () {
    await commitTransaction.call(this)
    await journals.get(this.options.database)?.onDisk(this)
  }
  prototype.query = async function (sql, ...rest) {
    const transaction = this.trxDbLease
    const result = await query.call(this, sql, ...rest)
    if (!transaction && !this.isReadQuery(sql)) await journals.get(this.options.database)?.onDisk(this)
    return result
  }
  waits = true
}

/** By database: its write-ahead journal, which is one as long as there are connections. */
const journals = new Map()

function commitsAreQuick(prototype) {
  const { createDatabaseConnection, destroyDatabaseConnection, runQuery } = prototype
  if (!createDatabaseConnection || !destroyDatabaseConnection || !runQuery) return
  prototype.createDatabaseConnection = async function (...flags) {
    const connection = await createDatabaseConnection.apply(this, flags)
    const { database, enableWAL } = this.options
    if (!waits || !enableWAL) return connection
    if (!journals.has(database)) journals.set(database, journalAt(`${database}-wal`))
    journals.get(database).connections++
    await this.runQuery(connection, 'PRAGMA synchronous = NORMAL')
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

function journalAt(path) {
  let file
  let last = Promise.resolve()
  let next = null

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

  const close = () => last.catch(() => {}).then(() => file !== undefined && fs.close(file, () => {}))
  return { connections: 0, onDisk, close }
}

/** While somebody writes there will soon be more who wait, and on a quick disk a sync for each takes more of the CPU than it saves. */
const gather = ({ writePool }) => writePool?.writeConnectionMutex?.isLocked?.() && new Promise((resolve) => setTimeout(resolve, 2))

const asked = (call, ...args) => new Promise((resolve, reject) => call(...args, (error, result) => (error ? reject(error) : resolve(result))))
