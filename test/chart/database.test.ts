import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { chartScript, runScript } from '../support/chart-script.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()

/** What the scripts of the chart take for this variable. */
const taken = async (name: string, env: Record<string, string>) => {
  const script = `${chartScript('database.js')}\nconsole.log(env.${name})`
  const { says } = await runScript(script, { node: process.execPath, env })
  return says.trim()
}

test('a password is read from the file that n8n reads it from', async () => {
  const file = join(home, 'password')
  await writeFile(file, 'from a file\n')
  expect(await taken('DB_POSTGRESDB_PASSWORD', { DB_POSTGRESDB_PASSWORD_FILE: file })).toBe('from a file')
  expect(await taken('QUEUE_BULL_REDIS_PASSWORD', { QUEUE_BULL_REDIS_PASSWORD_FILE: file })).toBe('from a file')
})

test('a variable goes before its file, as in n8n', async () => {
  const file = join(home, 'other')
  await writeFile(file, 'from a file')
  const env = { DB_POSTGRESDB_PASSWORD: 'given', DB_POSTGRESDB_PASSWORD_FILE: file }
  expect(await taken('DB_POSTGRESDB_PASSWORD', env)).toBe('given')
})

test("n8n's modules are found behind a script that starts it", async () => {
  const modules = join(home, 'lib/node_modules')
  await Promise.all(
    ['bin', 'lib/node_modules/n8n', 'lib/node_modules/pg'].map((folder) =>
      mkdir(join(home, folder), { recursive: true }),
    ),
  )
  await writeFile(join(home, 'bin/n8n'), '#!/bin/sh')
  await writeFile(join(modules, 'n8n/package.json'), '{}')
  await writeFile(join(modules, 'pg/index.js'), "module.exports = 'of n8n'")
  const script = `${chartScript('database.js')}\nconsole.log(n8n()('pg'))`
  const { says } = await runScript(script, { node: process.execPath, env: { PATH: join(home, 'bin') } })
  expect(says.trim()).toBe('of n8n')
})
