// Makes one backup in the present folder: SQLite, while n8n runs (a dump of PostgreSQL is already there), then n8n's
// files. The backup gets its name once it is complete; then all but the newest KEEP are deleted. No backup contains the
// encryption key.
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

/** Copies one file. n8n never changes one, so a file in the last backup only gets a second name (a hard link). */
function copyFile(from, to, last) {
  const is = statSync(from)
  if (same(is, statSync(last, { throwIfNoEntry: false }))) {
    try {
      return linkSync(last, to)
    } catch {
      // This volume's file system has no hard links.
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
      // n8n may delete files of old executions during the backup.
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
  // Removes the rest of a failed backup.
  const isOld = (name) => statSync(join(backups, name)).mtimeMs < Date.now() - 86400000
  const left = readdirSync(backups).filter((name) => name.startsWith('.') && isOld(name))
  for (const old of [...gone, ...left]) rmSync(join(backups, old), { recursive: true, force: true })
  return `${name}: ${readdirSync(join(backups, name)).join(', ')}${gone.length ? `; removed ${gone.join(', ')}` : ''}`
}

backup().then((said) => console.log(`backup: ${said}`), ({ message }) => {
  console.log(`backup: ${message}`)
  process.exit(1)
})
