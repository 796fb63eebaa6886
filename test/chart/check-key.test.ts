import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { chartScript, runScript } from '../support/chart-script.ts'
import { postgresqlEnv, startPostgresql } from '../support/postgresql.ts'
import { runtime } from '../support/runtime.ts'
import { programs, startOnce, storeCredential } from '../support/stored-credential.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

/** The init container that tries the key on n8n's database before n8n starts. Real n8n has written the databases. */

const home = temporaryFolder()
const versions = ['2.41.1', '1.123.81', '0.221.2']
const N8N_ENCRYPTION_KEY = 'the-key-of-that-time'
const told = { KEY_REMEDY: 'name its Secret', KEY_FROM: 'Secret n8n, key key' }

function check(version: string, env: Record<string, string>) {
  const given = { node: runtime(version).node, env: { PATH: programs(version), ...told, ...env } }
  return runScript(chartScript('database.js', 'check-key.js'), given)
}
const starts = (says: string) => ({ code: 0, says: expect.stringContaining(says) })
const refused = (says: string) => ({ code: 1, says: expect.stringContaining(says) })

/** Changes SQLite with the driver that n8n brings. */
function change(version: string, folder: string, sql: string) {
  const changing = `new (n8n()('sqlite3').Database)(sqliteFile()).exec(${JSON.stringify(sql)})`
  const given = { node: runtime(version).node, env: { PATH: programs(version), N8N_USER_FOLDER: folder } }
  return runScript(`${chartScript('database.js')}\n${changing}`, given)
}

/** Every file in n8n's folder but SQLite's journal, which readers open too. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, '.n8n')).filter((name) => !/-(shm|wal)$/.test(name))
  const sum = (name: string) =>
    createHash('md5')
      .update(readFileSync(join(folder, '.n8n', name)))
      .digest('hex')
  return Object.fromEntries(names.map((name) => [name, sum(name)]))
}

describe.each(versions)('SQLite of n8n %s', (version) => {
  const folder = join(home, version)
  const database = (of: string) => join(of, '.n8n/database.sqlite')
  const copied = (name: string) => {
    const copy = join(home, `${version}-${name}`)
    cpSync(folder, copy, { recursive: true })
    return copy
  }
  /** As a backup is restored: the volume has the database and no key. */
  const restored = async (name: string) => {
    const copy = copied(name)
    await rm(join(copy, '.n8n/config'))
    return copy
  }

  beforeAll(() => storeCredential(version, folder, { N8N_ENCRYPTION_KEY }), 120_000)

  test('n8n starts with the key in its volume', async () => {
    expect(await check(version, { N8N_USER_FOLDER: folder })).toMatchObject(starts('decrypts 1 of 1 credentials'))
  })

  test('n8n starts with the key it is given', async () => {
    const N8N_USER_FOLDER = await restored('given')
    expect(await check(version, { N8N_USER_FOLDER, N8N_ENCRYPTION_KEY })).toMatchObject(starts('1 of 1'))
  })

  test('a file with the key is read as n8n reads it, which 0.x does not', async () => {
    const N8N_USER_FOLDER = join(home, `${version}-file`)
    const N8N_ENCRYPTION_KEY_FILE = await write(N8N_USER_FOLDER, 'key', ` "${N8N_ENCRYPTION_KEY}"\n`)
    await storeCredential(version, N8N_USER_FOLDER, { N8N_ENCRYPTION_KEY_FILE })
    await rm(join(N8N_USER_FOLDER, '.n8n/config'))
    const expected = version.startsWith('0.') ? refused('got none') : starts('1 of 1')
    expect(await check(version, { N8N_USER_FOLDER, N8N_ENCRYPTION_KEY_FILE })).toMatchObject(expected)
  })

  test('n8n does not start without a key, and nothing is changed', async () => {
    const copy = await restored('without')
    const before = contents(copy)
    const { says, code } = await check(version, { N8N_USER_FOLDER: copy })
    expect(code).toBe(1)
    expect(says).toContain(`Expected the encryption key of the 1 credentials in ${database(copy)}, got none`)
    expect(says).toContain('Put back the key that was saved with the database: name its Secret')
    expect(contents(copy)).toEqual(before)
  })

  test('n8n does not start with another key', async () => {
    const env = { N8N_USER_FOLDER: await restored('other'), N8N_ENCRYPTION_KEY: 'another' }
    const got = 'got another, which decrypts none of them (Secret n8n, key key)'
    expect(await check(version, env)).toMatchObject(refused(got))
  })

  test('n8n does not start with another key in its volume', async () => {
    const copy = copied('changed')
    const settings = await write(copy, '.n8n/config', { encryptionKey: 'another' })
    const remedy = `delete ${settings}, and name its Secret`
    expect(await check(version, { N8N_USER_FOLDER: copy })).toMatchObject(refused(remedy))
  })

  test('n8n starts when one credential of several cannot be read', async () => {
    const copy = copied('several')
    const broken = `UPDATE other SET id = '2', data = 'U2FsdGVkX1' || data`
    const add = 'INSERT INTO credentials_entity SELECT * FROM other'
    await change(version, copy, `CREATE TABLE other AS SELECT * FROM credentials_entity; ${broken}; ${add}`)
    expect(await check(version, { N8N_USER_FOLDER: copy })).toMatchObject(starts('decrypts 1 of 2 credentials'))
  })

  test('n8n starts where there is no database yet', async () => {
    const nothing = { N8N_USER_FOLDER: join(home, 'none') }
    expect(await check(version, nothing)).toMatchObject(starts('there is no database yet'))
  })
})

test.each(versions)(
  'PostgreSQL of n8n %s: its key starts, another key or password does not',
  async (version) => {
    const { port, password, stop } = await startPostgresql()
    const env = {
      N8N_ENCRYPTION_KEY,
      N8N_USER_FOLDER: join(home, `${version}-postgresql`),
      ...postgresqlEnv({ port, password }),
      // n8n 0.x cannot import with one.
      ...(version.startsWith('0.') ? {} : { DB_TABLE_PREFIX: 'flows_' }),
    }
    const place = 'PostgreSQL n8n on 127.0.0.1'
    try {
      expect(await check(version, env)).toMatchObject(starts(`nothing in ${place} is encrypted yet`))
      await storeCredential(version, env.N8N_USER_FOLDER, env)
      expect(await check(version, env)).toMatchObject(starts('decrypts 1 of 1 credentials'))
      const another = await check(version, { ...env, N8N_ENCRYPTION_KEY: 'another' })
      expect(another).toMatchObject(
        refused(`Expected the encryption key of the 1 credentials in ${place}, got another`),
      )
      const locked = await check(version, { ...env, DB_POSTGRESDB_PASSWORD: 'another' })
      expect(locked).toMatchObject(refused(`Expected the password of n8n in ${place}, got another`))
    } finally {
      await stop()
    }
  },
  240_000,
)

test('n8n starts where nothing can be said: no database to reach, or no driver', async () => {
  const env = { DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: '127.0.0.1', DB_POSTGRESDB_PORT: '1' }
  expect(await check('2.41.1', env)).toMatchObject(starts('cannot tell whether the key fits, so n8n starts: connect'))
  expect(await check('2.41.1', { ...env, PATH: '/usr/bin:/bin' })).toMatchObject(starts('there is no n8n in PATH'))
})

describe('keys that n8n 2 keeps in its database', () => {
  const version = '2.41.1'

  test('a credential of a key that rotates is read by what n8n is started with', async () => {
    const folder = join(home, 'rotating')
    const rotating = { N8N_ENCRYPTION_KEY, N8N_ENV_FEAT_ENCRYPTION_KEY_ROTATION: 'true' }
    await startOnce(version, folder, rotating)
    await storeCredential(version, folder, rotating)
    expect(await check(version, { N8N_USER_FOLDER: folder })).toMatchObject(starts('decrypts 1 of 1 credentials'))
    const other = await check(version, { N8N_USER_FOLDER: folder, N8N_ENCRYPTION_KEY: 'another' })
    expect(other).toMatchObject(refused('of the 1 credentials'))
  }, 300_000)

  test('they prove the key where there are no credentials: n8n too stops at them, with another key saved', async () => {
    const folder = join(home, 'keys')
    await startOnce(version, folder, { N8N_ENCRYPTION_KEY })
    expect(await check(version, { N8N_USER_FOLDER: folder })).toMatchObject(starts("keys of n8n's own"))
    await rm(join(folder, '.n8n/config'))
    expect(await check(version, { N8N_USER_FOLDER: folder })).toMatchObject(refused("keys of n8n's own"))
  }, 300_000)
})

test('a PostgreSQL that is just ending is waited for', async () => {
  const { port: own, password, stop } = await startPostgresql()
  const said = ['SFATAL', 'C57P03', 'Mthe database system is shutting down', ''].map((field) => `${field}\0`).join('')
  let asked = 0
  const front = createServer((socket) => {
    if (asked++ > 0) return void socket.pipe(connect(own, '127.0.0.1')).pipe(socket)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(said.length + 4)
    socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(said)]))
  })
  try {
    const [port] = (await freePorts(1)) as [number]
    front.listen(port, '127.0.0.1')
    const env = postgresqlEnv({ port, password })
    expect(await check('2.41.1', env)).toMatchObject(starts('cannot tell whether the key fits, so n8n starts'))
    asked = 0
    expect(await check('2.41.1', { ...env, WAIT_SECONDS: '60' })).toMatchObject(starts('is encrypted yet'))
  } finally {
    front.close()
    await stop()
  }
}, 300_000)
