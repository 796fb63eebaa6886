import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { chartScript, runScript } from '../support/chart-script.ts'
import { runtime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()

/** What the scripts of the chart take for this variable. */
const taken = async (name: string, env: Record<string, string>) => {
  const script = `${chartScript('database.js')}\nconsole.log(JSON.stringify(env.${name}))`
  const { says } = await runScript(script, { node: process.execPath, env })
  return JSON.parse(says)
}

/** The password that n8n's own code takes. */
const ofN8n = async (env: Record<string, string>) => {
  const { node, folder } = runtime('2.41.1')
  const own = (name: string) => `require(${JSON.stringify(join(folder, 'node_modules', name))})`
  const script = `const { Container } = ${own('@n8n/di')}
    console.log(JSON.stringify(Container.get(${own('@n8n/config')}.DatabaseConfig).postgresdb.password))`
  const { says } = await runScript(script, { node, env })
  // It warns of what it leaves out.
  return JSON.parse(says.split('\n')[0]!)
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

test.each([
  ['a line break of a Secret', 'given\n', 'given'],
  ['quotes', ` "it's given" `, "it's given"],
  ['a quote on one side, which is its own', `'given`, `'given`],
])('%s is read as n8n reads it, in a variable and in a file', async (_, text, value) => {
  const file = join(home, 'as n8n')
  await writeFile(file, text)
  expect(await taken('DB_POSTGRESDB_PASSWORD', { DB_POSTGRESDB_PASSWORD: text })).toBe(value)
  expect(await taken('DB_POSTGRESDB_PASSWORD', { DB_POSTGRESDB_PASSWORD_FILE: file })).toBe(value)
  expect(await ofN8n({ DB_POSTGRESDB_PASSWORD: text })).toBe(value)
  expect(await ofN8n({ DB_POSTGRESDB_PASSWORD_FILE: file })).toBe(value)
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
