// n8n leaves SQLite's `synchronous` as it comes: each commit waits until the disk has it, and an execution is four of
// them. In the journal that n8n chooses (WAL) SQLite itself needs that only when it moves the journal into the database.
// Here the journal goes to the disk once a second, and nobody waits for it. Until then it is with the kernel: it outlives
// n8n, however that ends, but not the machine.
const { open } = require('fs').promises
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  return compile.call(this, library.test(file) ? source.replace(journal, '$& await globalThis[Symbol.for("n8n-tuned.rareSyncs")](run, this.options.database);') : source, file, ...rest)
}

const library = /[\\/]sqlite-pooled[\\/]SqliteLibrary\.js$/
const journal = 'await run(`PRAGMA journal_mode = WAL`);'

const kept = new Set()

/** Once for each connection; there are several to a database. */
globalThis[Symbol.for('n8n-tuned.rareSyncs')] = async (run, database) => {
  await run('PRAGMA synchronous = NORMAL')
  if (kept.has(database)) return
  kept.add(database)
  // SQLite's locks are on other files than its journal: closing this one ends none of them.
  setInterval(() => void sync(`${database}-wal`).catch(() => {}), 1000).unref()
}

/** There is none before the first commit; and of a disk that fails SQLite tells n8n at the next checkpoint. */
async function sync(journal) {
  const file = await open(journal)
  await file.datasync().finally(() => file.close())
}
