import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { chartScript, runScript } from '../support/chart-script.ts'
import { runtime } from '../support/runtime.ts'
import { programs, storeCredential } from '../support/stored-credential.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

/** The container that makes a backup, on SQLite that real n8n has written. */

const home = temporaryFolder()
const key = 'the-key-of-that-time'

describe.each(['2.41.1', '0.221.2'])('n8n %s', (version) => {
  const folder = join(home, version)
  beforeAll(() => storeCredential(version, folder, { N8N_ENCRYPTION_KEY: key }), 120_000)

  const node = runtime(version).node
  const PATH = programs(version)
  const run = (backups: string, { from = folder, ...env }: Record<string, string> = {}) => {
    const all = { PATH, N8N_USER_FOLDER: from, DB_TYPE: 'sqlite', POD: 'pod-1', KEEP: '3', ...env }
    return runScript(chartScript('database.js', 'backup.js'), { node, cwd: backups, env: all })
  }
  const empty = (name: string) => {
    const made = join(home, `${version}-${name}`)
    mkdirSync(made)
    return made
  }

  test('has the database, which the key still reads, and not the key', async () => {
    const backups = empty('whole')
    expect(await run(backups)).toMatchObject({ code: 0 })
    const [name] = readdirSync(backups)
    expect(name).toMatch(/^n8n-\d{4}-\d\d-\d\dT\d{6}Z$/)
    expect(readdirSync(join(backups, name!))).toEqual(['database.sqlite'])
    const restored = join(home, `${version}-restored`)
    await cp(join(backups, name!), join(restored, '.n8n'), { recursive: true })
    const env = { PATH, N8N_USER_FOLDER: restored, N8N_ENCRYPTION_KEY: key }
    const { says } = await runScript(chartScript('database.js', 'check-key.js'), { node, env })
    expect(says).toContain('decrypts 1 of 1 credentials')
  })

  test('has the files of executions, and none of them twice', async () => {
    const backups = empty('files')
    const from = join(home, `${version}-with-files`)
    await cp(folder, from, { recursive: true })
    await write(from, '.n8n/binaryData/workflows/1/a', 'first')
    await write(backups, 'n8n-2020-01-01T000000Z/binaryData/workflows/1/a', 'first')
    const last = join(backups, 'n8n-2020-01-01T000000Z/binaryData/workflows/1/a')
    const { atime, mtime } = statSync(join(from, '.n8n/binaryData/workflows/1/a'))
    utimesSync(last, atime, mtime)
    await write(from, '.n8n/binaryData/workflows/2/b', 'second')
    expect(await run(backups, { from })).toMatchObject({ code: 0 })
    const made = join(backups, readdirSync(backups).at(-1)!, 'binaryData/workflows')
    expect(statSync(join(made, '1/a')).ino).toBe(statSync(last).ino)
    expect(statSync(join(made, '2/b')).size).toBe('second'.length)
  })

  test('has a dump of PostgreSQL that another container has made', async () => {
    const backups = empty('dump')
    await write(backups, '.pod-1/database.dump', 'PGDMP')
    expect(await run(backups, { DB_TYPE: 'postgresdb' })).toMatchObject({ code: 0 })
    expect(readdirSync(join(backups, readdirSync(backups)[0]!))).toEqual(['database.dump'])
  })

  test('as many stay as are to be kept, and nothing of one that failed a day ago', async () => {
    const backups = empty('kept')
    const days = ['n8n-2020-01-01T000000Z', 'n8n-2020-01-02T000000Z', 'n8n-2020-01-03T000000Z']
    for (const name of [...days, '.pod-old', '.pod-new', 'lost+found']) await mkdir(join(backups, name))
    const twoDaysAgo = Date.now() / 1000 - 2 * 86400
    utimesSync(join(backups, '.pod-old'), twoDaysAgo, twoDaysAgo)
    const { says } = await run(backups)
    expect(says).toContain(`removed ${days[0]}`)
    const left = readdirSync(backups).sort()
    expect(left).toEqual(['.pod-new', 'lost+found', ...days.slice(1), expect.stringMatching(/^n8n-/)])
  })

  test('fails, says why, and removes none, where there is no database', async () => {
    const backups = empty('nothing')
    await mkdir(join(backups, 'n8n-2020-01-01T000000Z'))
    const { says, code } = await run(backups, { from: join(home, 'nothing'), KEEP: '1' })
    expect(code).toBe(1)
    expect(says).toContain('Expected SQLite in')
    expect(existsSync(join(backups, 'n8n-2020-01-01T000000Z'))).toBe(true)
    expect(readdirSync(backups).filter((name) => name.startsWith('n8n-'))).toHaveLength(1)
  })
})
