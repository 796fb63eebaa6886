// Before n8n starts: does its key decrypt the credentials in its database? If the key decrypts none, n8n must not
// start: with a wrong key it would save new credentials that the old key cannot decrypt. Only reads. If it cannot
// decide, n8n starts.
const { createDecipheriv, createHash, hkdfSync } = require('crypto')

const settings = join(n8nFolder(), 'config')

/**
 * What n8n's own code reads: the variable or the file that one names, without spaces and quotes around it. Releases
 * before that code take the variable as it is, and no file.
 */
function keyGiven() {
  const own = (name) => {
    try {
      return n8n()(name)
    } catch (error) {
      if (error.code === 'MODULE_NOT_FOUND') return {}
      throw error
    }
  }
  const [{ Container }, { InstanceSettingsConfig }] = ['@n8n/di', '@n8n/config'].map(own)
  const read = Container && InstanceSettingsConfig && Container.get(InstanceSettingsConfig).encryptionKey
  return read ?? env.N8N_ENCRYPTION_KEY
}

/** The key that n8n will use, and where it is. */
function keyInUse() {
  const { N8N_ENCRYPTION_KEY: variable, N8N_ENCRYPTION_KEY_FILE: file, KEY_FROM: from } = env
  const key = keyGiven()
  if (key) return { key, from: variable === undefined ? file : from }
  return existsSync(settings) ? { key: JSON.parse(readFileSync(settings, 'utf8')).encryptionKey, from: settings } : {}
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const md5 = (...parts) => createHash('md5').update(Buffer.concat(parts)).digest()

/** "Salted__", eight bytes of salt, and OpenSSL's output for a password: credentials of every n8n up to 2.x. */
function aes256Cbc(sealed, key, encoding = 'latin1') {
  const password = Buffer.concat([Buffer.from(key, encoding), sealed.subarray(8, 16)])
  const first = md5(password)
  const second = md5(first, password)
  const decipher = createDecipheriv('aes-256-cbc', Buffer.concat([first, second]), md5(second, password))
  return Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]).toString()
}

/**
 * A version byte, 32 bytes of salt, 16 bytes of proof: n8n 2's format for its keys, and for credentials once keys
 * rotate.
 */
function aes256Gcm(sealed, key) {
  const secret = Buffer.from(key, 'hex')
  const derived = Buffer.from(hkdfSync('sha256', secret, sealed.subarray(1, 33), 'n8n-encryption-v1', 44))
  const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32), { authTagLength: 16 })
  decipher.setAuthTag(sealed.subarray(33, 49))
  return Buffer.concat([decipher.update(sealed.subarray(49)), decipher.final()]).toString()
}

const ciphers = { 'aes-256-cbc': aes256Cbc, 'aes-256-gcm': aes256Gcm }
const bytes = (base64) => Buffer.from(base64, 'base64')
const succeeds = (act) => {
  try {
    return act() !== false
  } catch {
    return false
  }
}

/**
 * A key that n8n 2 keeps in its database, encrypted with the key that it starts with. Its first releases had another
 * format.
 */
function unseal(value, key) {
  if (/^[0-9a-f]{64}$/i.test(value) || value === key) return value
  return value.startsWith('U2FsdGVk') ? aes256Cbc(bytes(value), key) : aes256Gcm(bytes(value), sha256(key))
}

/** Whether the key decrypts this credential; undecided for an unknown format. */
function decrypts(data, key, stored) {
  const [, id, text] = /^(?:([\w-]{1,36}):)?(.*)$/s.exec(data)
  const kept = stored.find((row) => (id ? row.id === id : row.algorithm === 'aes-256-cbc'))
  const tries = [() => ciphers[kept.algorithm](bytes(text), unseal(kept.value, key))]
  if (!id && text.startsWith('U2FsdGVk')) {
    // n8n 0.x read the key as UTF-8, which only matters for keys with other characters than ASCII.
    tries.push(() => aes256Cbc(bytes(text), key), () => aes256Cbc(bytes(text), key, 'utf8'))
  } else if (!ciphers[kept?.algorithm]) return undefined
  return Boolean(key) && tries.some((open) => succeeds(() => JSON.parse(open())))
}

/** Functions to query n8n's database and to disconnect; nothing if there is no database yet. */
async function database() {
  if (env.DB_TYPE === 'postgresdb') {
    const client = await connectPostgresql(n8n())
    return { ask: async (sql) => (await client.query(sql)).rows, leave: () => client.end() }
  }
  if (!existsSync(sqliteFile())) return null
  const sqlite = await openSqlite(n8n())
  const ask = (sql) => new Promise((resolve, reject) => {
    sqlite.all(sql, (error, rows) => (error ? reject(error) : resolve(rows)))
  })
  return { ask, leave: () => new Promise((resolve) => sqlite.close(resolve)) }
}

/** Credentials, the newest first, and n8n 2's keys. A table may be missing. */
async function read({ ask, leave }) {
  const rows = (sql) => ask(sql).catch((error) => {
    if (/no such table|relation .* does not exist/.test(error.message)) return []
    throw error
  })
  try {
    const [credentials, keys] = [tableOf('credentials_entity'), tableOf('deployment_key')]
    return {
      credentials: await rows(`SELECT data FROM ${credentials} ORDER BY "updatedAt" DESC LIMIT 1000`),
      stored: await rows(`SELECT id, value, algorithm FROM ${keys} WHERE type = 'data_encryption'`),
    }
  } finally {
    await leave()
  }
}

const ofPostgresql = `PostgreSQL ${env.DB_POSTGRESDB_DATABASE} on ${env.DB_POSTGRESDB_HOST}`
const place = env.DB_TYPE === 'postgresdb' ? ofPostgresql : sqliteFile()

function refuse(what) {
  console.log(`check-key: ${what} n8n was not started, and nothing was changed. docs/backup.md says more.`)
  process.exit(1)
}

async function check() {
  const there = await database()
  if (!there) return 'there is no database yet'
  const { credentials, stored } = await read(there)
  const { key, from } = keyInUse()
  const known = credentials.map(({ data }) => decrypts(data, key, stored)).filter((answer) => answer !== undefined)
  // Without credentials, n8n 2 also stops at keys that it cannot decrypt, but only after it has saved another key.
  const proofs = known.length ? known : stored.map(({ value }) => Boolean(key) && succeeds(() => unseal(value, key)))
  const opened = proofs.filter(Boolean).length
  if (!proofs.length) return `nothing in ${place} is encrypted yet`
  const what = known.length ? `${known.length} credentials` : `${proofs.length} keys of n8n's own`
  if (opened) return `the key decrypts ${opened} of ${what} in ${place}`
  const none = `none (no encryptionKey is given, and ${settings} is not there: n8n would make another)`
  const got = key ? `another, which decrypts none of them (${from})` : none
  const remedy = `${from === settings ? `delete ${settings}, and ` : ''}${env.KEY_REMEDY}`
  return refuse(`Expected the encryption key of the ${what} in ${place}, got ${got}.`
    + ` Put back the key that was saved with the database: ${remedy}.`
    + ' If it is lost, encryptionKey.check: false starts n8n without them.')
}

// 57P03: PostgreSQL is just starting or ending.
const passing = ['57P03', 'ECONNREFUSED']

/** Waits for a PostgreSQL that restarts: n8n itself gives up after half a minute. */
async function patiently(until) {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (!passing.includes(error.code) || Date.now() >= until) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

process.on('SIGTERM', () => process.exit(143))
const until = Date.now() + Number(env.WAIT_SECONDS || 0) * 1000
patiently(until).then((said) => console.log(`check-key: ${said}`), ({ code, message }) => {
  // 28P01: PostgreSQL has another password. Its volume is older than the Secret with the password.
  if (code === '28P01') {
    refuse(`Expected the password of ${env.DB_POSTGRESDB_USER} in ${place}, got another: ${message}.`
      + ' Put back the Secret that was saved with the database.')
  }
  console.log(`check-key: cannot tell whether the key fits, so n8n starts: ${message}`)
})
