// A query goes to a thread to be compiled, comes back, and goes there again to be run. An execution makes the same dozen of
// queries each time: here a connection of SQLite's keeps them compiled, and each goes there once.
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (library.test(file)) connectionsKeep(this.exports.SqliteLibrary?.prototype ?? {})
  return compiled
}

const library = /[\\/]sqlite-pooled[\\/]SqliteLibrary\.js$/

/** What comes again, and has ended when it is answered: a write that returns rows would not have. */
const recurs = (query) => query.length < 8192 && /^(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK)\b/.test(query) && !/\bRETURNING\b/i.test(query)

/** No connection keeps more. */
const most = 200

function connectionsKeep(prototype) {
  const { createDatabaseConnection, destroyDatabaseConnection } = prototype
  if (!createDatabaseConnection || !destroyDatabaseConnection) return
  const forgets = new WeakMap()
  prototype.createDatabaseConnection = async function (...flags) {
    const connection = await createDatabaseConnection.apply(this, flags)
    forgets.set(connection, keeps(connection))
    return connection
  }
  // One with compiled queries does not close.
  prototype.destroyDatabaseConnection = function (connection) {
    forgets.get(connection)?.()
    return destroyDatabaseConnection.call(this, connection)
  }
}

function keeps(connection) {
  const kept = new Map()

  const forget = () => {
    for (const statement of kept.values()) statement.finalize()
    kept.clear()
  }

  for (const way of ['all', 'run']) {
    const once = connection[way]
    connection[way] = function (query, values, answered) {
      if (!recurs(query)) return once.apply(this, arguments)
      const statement = kept.get(query)
      if (statement) statement[way](values, answered)
      else first(query, way, values, answered)
      return this
    }
  }

  /** Who is told that a query does not compile is who asked first; until it is known, others have it compiled for themselves. */
  function first(query, way, values, answered) {
    const statement = connection.prepare(query, (error) => {
      if (error) return answered.call(statement, error)
      if (kept.size === most) forget()
      if (kept.has(query)) return statement.finalize()
      kept.set(query, statement)
    })
    statement[way](values, answered)
  }

  return forget
}
