import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/temporary.ts'
import { converted } from './converting.ts'
import { notesOf } from '../../../loadtests/src/convert/words.ts'

/** What the printed command would run in n8n’s container, run here in an environment of the test’s own. */
function runIn(env: NodeJS.Dict<string>, notes: string) {
  const script = /node -e '\n([^]*?)\n' \| kubectl create --filename -\n/.exec(notes)![1]!
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const folder = temporaryFolder()
const services = {
  n8n: {
    image: 'n8nio/n8n:2.41.1',
    environment: { DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: 'db', DB_POSTGRESDB_PASSWORD: 'x' },
  },
}
const notes = notesOf(converted('compose', { services }), 'compose.yaml', () => null)

test('the Secret has each value that the running n8n has, and its own key from its folder', () => {
  mkdirSync(join(folder, '.n8n'))
  writeFileSync(join(folder, '.n8n/config'), JSON.stringify({ encryptionKey: 'of the folder' }))
  const { status, stdout } = runIn({ HOME: folder, DB_POSTGRESDB_PASSWORD: 'of the environment' }, notes)
  expect({ status, secret: JSON.parse(stdout) }).toMatchObject({
    status: 0,
    secret: {
      kind: 'Secret',
      metadata: { name: 'n8n-moved' },
      stringData: { DB_POSTGRESDB_PASSWORD: 'of the environment', N8N_ENCRYPTION_KEY: 'of the folder' },
    },
  })
})

test('a value in a file is that of the file', () => {
  writeFileSync(join(folder, 'password'), 'of the file\n')
  const { stdout } = runIn({ HOME: folder, DB_POSTGRESDB_PASSWORD_FILE: join(folder, 'password') }, notes)
  expect(JSON.parse(stdout)).toMatchObject({ stringData: { DB_POSTGRESDB_PASSWORD: 'of the file' } })
})

describe('a key that is given in a file', () => {
  const environment = { N8N_ENCRYPTION_KEY_FILE: '/run/secrets/key' }
  const given = notesOf(
    converted('swarm', { services: { n8n: { ...services.n8n, environment } } }),
    'stack.yaml',
    () => null,
  )
  const keyIn = (home: string) => {
    writeFileSync(join(folder, 'key'), 'of the file\n')
    const { stdout } = runIn({ HOME: home, N8N_ENCRYPTION_KEY_FILE: join(folder, 'key') }, given)
    return (JSON.parse(stdout) as { stringData: Record<string, string> }).stringData.N8N_ENCRYPTION_KEY
  }

  // Many releases keep the line break at its end as a part of the key, and 0.x reads no file.
  test('is the one that n8n made of it, and wrote into its folder', () => {
    writeFileSync(join(folder, '.n8n/config'), JSON.stringify({ encryptionKey: 'of the file\n' }))
    expect(keyIn(folder)).toBe('of the file\n')
  })

  test('is that of the file, where n8n wrote nothing', () => {
    expect(keyIn(join(folder, 'nowhere'))).toBe('of the file')
  })
})

test.each([
  ['an empty value', { DB_POSTGRESDB_PASSWORD: '' }],
  ['a value that is not there', {}],
])('%s ends the command before it prints anything, so no Secret is made', (_, env) => {
  const { status, stdout, stderr } = runIn({ HOME: folder, ...env }, notes)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('This n8n has no value for DB_POSTGRESDB_PASSWORD.')
})

test('so does a folder without a key', () => {
  writeFileSync(join(folder, '.n8n/config'), '{}')
  const { status, stdout } = runIn({ HOME: folder, DB_POSTGRESDB_PASSWORD: 'x' }, notes)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
})
