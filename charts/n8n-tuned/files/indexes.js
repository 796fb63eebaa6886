// Beside main: makes an index that n8n lacks, without a lock, and makes it again if a migration of n8n took it away.
// With INDEX_LIST=false it takes the index away. Changes nothing else. If it cannot, the log says why, and n8n runs on.
const EXECUTIONS = tableOf('execution_entity')
const quoted = (name) => `"${name.replaceAll('"', '""')}"`
// Several n8n may share a schema, with tables of their own prefixes, and so may their indexes.
const NAME = `n8n_tuned_${env.DB_TABLE_PREFIX || ''}execution_list`
const INDEX = [env.DB_POSTGRESDB_SCHEMA, NAME].map(quoted).join('.')
const wanted = env.INDEX_LIST === 'true'

// As the editor's list of executions orders them, of those that n8n has not marked for deletion.
const MADE_OF = '((COALESCE("startedAt", "createdAt")) DESC, id DESC) WHERE "deletedAt" IS NULL'
const COLUMNS = ['startedAt', 'createdAt', 'deletedAt']

/** A large table takes its time; the driver waits for 5 seconds otherwise. */
const patiently = (client, text) => client.query({ text, query_timeout: 24 * 3600 * 1000 })

/** Whether the index is there, and whether it is whole: one that was interrupted is not. */
async function seen(client) {
  const { rows: [row] } = await client.query(
    `SELECT indisvalid AS valid, pg_size_pretty(pg_relation_size(indexrelid)) AS size
    FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [INDEX],
  )
  return row
}

async function missing(client) {
  const { rows } = await client.query(
    'SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND NOT attisdropped',
    [EXECUTIONS],
  )
  const there = rows.map(({ attname }) => attname)
  return COLUMNS.find((column) => !there.includes(column))
}

let had = false

/** What to say; true if there is nothing more to do now. */
async function make(client) {
  const lacks = await missing(client)
  if (lacks) return `${EXECUTIONS} has no column ${lacks}: this n8n has no such list, and no index was made`
  const found = await seen(client)
  if (found?.valid) {
    const said = had ? true : `index ${NAME} on ${EXECUTIONS} is there (${found.size})`
    had = true
    return said
  }
  if (had) console.log(`index ${NAME} is gone: a migration of n8n, or someone, took it away`)
  if (found) await patiently(client, `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
  const began = Date.now()
  await patiently(client, `CREATE INDEX CONCURRENTLY ${quoted(NAME)} ON ${EXECUTIONS} ${MADE_OF}`)
  had = true
  return `index ${NAME} on ${EXECUTIONS} made in ${(Date.now() - began) / 1000} s (${(await seen(client)).size})`
}

async function takeAway(client) {
  if (!(await seen(client))) return `no index ${NAME} to take away`
  await patiently(client, `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
  return `index ${NAME} on ${EXECUTIONS} was taken away`
}

/** Only one main at a time: two would wait for each other. */
async function alone(client, work) {
  const lock = 'hashtext($1)'
  const { rows: [{ free }] } = await client.query(`SELECT pg_try_advisory_lock(${lock}) AS free`, [INDEX])
  if (!free) return 'another main looks after the index'
  // The lock goes with the connection.
  return work(client)
}

async function look() {
  const require = n8n()
  const client = await connectPostgresql(require)
  try {
    // n8n's own migrations come first: they would wait for the index, or it for them.
    if (!(await migrated(client, require))) return { said: 'waiting for n8n to migrate its database', again: 2 }
    const said = await alone(client, wanted ? make : takeAway)
    return { said, again: Number(env.LOOK_SECONDS) }
  } finally {
    await client.end()
  }
}

let last
async function lookAgain() {
  const { said, again } = await look().catch(({ message }) => ({ said: `cannot look after ${NAME}: ${message}`, again: 10 }))
  if (said !== true && said !== last) console.log(said)
  last = said
  setTimeout(lookAgain, 1000 * again)
}

process.on('SIGTERM', () => process.exit(0))
lookAgain()
