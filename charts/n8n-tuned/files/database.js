// Functions for scripts that use n8n and its database; the chart puts this file before each of them.
const { createRequire } = require('module')
const { existsSync, readFileSync, realpathSync } = require('fs')
const { delimiter, dirname, join, resolve } = require('path')

const env = process.env

// As n8n does: a variable that is not given may be in the file that NAME_FILE names.
const ofStores = () => Object.entries(env).filter(([name]) => /^(DB|QUEUE)_/.test(name))
for (const [name, file] of ofStores()) {
  const [, given] = /^(.*)_FILE$/.exec(name) ?? []
  if (given && env[given] === undefined && existsSync(file)) env[given] = readFileSync(file, 'utf8')
}
// Spaces and a pair of quotes around a value are not part of it.
for (const [name, value] of ofStores()) env[name] = value.trim().replace(/^(['"])(.*)\1$/, '$2')

/** n8n's own program; its modules are found from there. */
function n8n() {
  const program = env.PATH.split(delimiter).map((folder) => join(folder, 'n8n')).find(existsSync)
  if (!program) throw new Error('there is no n8n in PATH')
  // Some images have a script in place of npm's link: n8n is then where npm puts it, beside the folder of the script.
  const installed = join(dirname(program), '../lib/node_modules/n8n/package.json')
  return createRequire(existsSync(installed) ? realpathSync(installed) : realpathSync(program))
}

/** Connects to n8n's PostgreSQL with n8n's own driver and settings. */
async function connectPostgresql(require) {
  const { DB_POSTGRESDB_SSL_CA: ca, DB_POSTGRESDB_SSL_CERT: cert, DB_POSTGRESDB_SSL_KEY: key } = env
  const verify = env.DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED !== 'false'
  const special = ca || cert || key || !verify
  const client = new (require('pg').Client)({
    host: env.DB_POSTGRESDB_HOST,
    port: Number(env.DB_POSTGRESDB_PORT),
    database: env.DB_POSTGRESDB_DATABASE,
    user: env.DB_POSTGRESDB_USER,
    password: env.DB_POSTGRESDB_PASSWORD,
    ssl: special ? { ca, cert, key, rejectUnauthorized: verify } : env.DB_POSTGRESDB_SSL_ENABLED === 'true',
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The name of one of n8n's tables, as a query must write it. */
function tableOf(name) {
  const schema = env.DB_TYPE === 'postgresdb' ? [env.DB_POSTGRESDB_SCHEMA] : []
  return [...schema, `${env.DB_TABLE_PREFIX || ''}${name}`].map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}

/** The date of the newest migration that n8n knows. n8n 1 and 0.x keep them in another place. */
function newestKnown({ resolve }) {
  const home = dirname(resolve('n8n/package.json'))
  const packages = resolve.paths('@n8n/db').map((folder) => join(folder, '@n8n/db/dist'))
  const folders = [...packages, join(home, 'dist/databases')]
  const index = folders.map((folder) => join(folder, 'migrations/postgresdb/index.js')).find(existsSync)
  return Math.max(...[...readFileSync(index, 'utf8').matchAll(/\/(\d{13})-/g)].map(([, time]) => Number(time)))
}

/** Whether n8n has brought its database to the state that this image needs. */
async function migrated(client, require) {
  const { rows } = await client.query(`SELECT max("timestamp") AS newest FROM ${tableOf('migrations')}`)
  return Number(rows[0].newest) >= newestKnown(require)
}

/** The folder where n8n keeps its settings and SQLite. */
const n8nFolder = () => join(env.N8N_USER_FOLDER || require('os').homedir(), '.n8n')

const sqliteFile = () => resolve(n8nFolder(), env.DB_SQLITE_DATABASE || 'database.sqlite')

/** Opens n8n's SQLite for reading, with n8n's own driver. */
function openSqlite(require) {
  const { Database, OPEN_READONLY } = require('sqlite3')
  return new Promise((resolve, reject) => {
    const database = new Database(sqliteFile(), OPEN_READONLY, (error) => (error ? reject(error) : resolve(database)))
  })
}
