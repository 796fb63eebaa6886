// One backup in the folder it runs in: SQLite beside the n8n that runs (a dump of PostgreSQL is there already), then
// n8n's files. It has its name once it is complete; then all but the newest KEEP go. The encryption key is in none.
const { copyFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } = require('fs')

const backups = process.cwd()
const unfinished = join(backups, `.${env.POD}`)
const named = () => readdirSync(backups).filter((name) => name.startsWith('n8n-')).sort()

async function copySqlite() {
  if (!existsSync(sqliteFile())) throw new Error(`Expected SQLite in ${sqliteFile()}, got nothing.`)
  const sqlite = await openSqlite(n8n())
  sqlite.configure('busyTimeout', 60000)
  await new Promise((resolve, reject) => {
    sqlite.run('VACUUM INTO ?', join(unfinished, 'database.sqlite'), (error) => (error ? reject(error) : resolve()))
  })
}

const same = (one, other) => one.size === other?.size && one.mtime.getTime() === other.mtime.getTime()

/** One file. n8n never changes one: what the last backup has is another name of that. */
function copyFile(from, to, last) {
  const is = statSync(from)
  if (same(is, statSync(last, { throwIfNoEntry: false }))) {
    try {
      return linkSync(last, to)
    } catch {
      // This volume's file system knows no second names.
    }
  }
  copyFileSync(from, to)
  utimesSync(to, is.atime, is.mtime)
}

function copyFolder(from, to, last) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const paths = [from, to, last].map((folder) => join(folder, entry.name))
    try {
      if (entry.isDirectory()) copyFolder(...paths)
      else copyFile(...paths)
    } catch (error) {
      // n8n deletes those of old executions meanwhile.
      if (error.code !== 'ENOENT') throw error
    }
  }
}

async function backup() {
  process.umask(0o077)
  mkdirSync(unfinished, { recursive: true })
  if (env.DB_TYPE !== 'postgresdb') await copySqlite()
  const last = join(backups, named().at(-1) ?? 'none')
  for (const folder of ['binaryData', 'storage']) {
    const from = join(n8nFolder(), folder)
    if (existsSync(from)) copyFolder(from, join(unfinished, folder), join(last, folder))
  }
  const name = `n8n-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z`
  renameSync(unfinished, join(backups, name))
  const gone = named().slice(0, -Number(env.KEEP))
  // What a backup that failed has left.
  const isOld = (name) => statSync(join(backups, name)).mtimeMs < Date.now() - 86400000
  const left = readdirSync(backups).filter((name) => name.startsWith('.') && isOld(name))
  for (const old of [...gone, ...left]) rmSync(join(backups, old), { recursive: true, force: true })
  return `${name}: ${readdirSync(join(backups, name)).join(', ')}${gone.length ? `; removed ${gone.join(', ')}` : ''}`
}

backup().then((said) => console.log(`backup: ${said}`), ({ message }) => {
  console.log(`backup: ${message}`)
  process.exit(1)
})
