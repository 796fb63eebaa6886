// Loaded before n8n: prints each statement that goes to SQLite, on a line of its own.
const Module = require('module')

const load = Module._load

Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest)
  if (request === 'sqlite3' && !told.has(loaded)) tell(loaded)
  return loaded
}

const told = new WeakSet()

function tell(sqlite) {
  told.add(sqlite)
  const { prototype } = sqlite.Database
  for (const way of ['all', 'run']) {
    const own = prototype[way]
    prototype[way] = function (sql, ...rest) {
      process.stdout.write(`query: ${sql.replace(/\s+/g, ' ')}\n`)
      return own.call(this, sql, ...rest)
    }
  }
}
