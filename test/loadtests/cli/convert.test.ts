import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { command } from '../../support/command.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { fixtures } from '../convert/converting.ts'

const folder = temporaryFolder()
const files = readdirSync(fixtures).filter((file) => file.endsWith('.yaml'))
const env = ['--env', join(fixtures, 'compose.env')]
const converting = (file: string, ...words: string[]) => {
  const from = file.split('-')[0]!
  return command('convert', '--from', from, ...(from === 'compose' ? env : []), ...words, join(fixtures, file))
}

test.concurrent.each(files)('%s becomes values that the chart renders, without a secret', async (file) => {
  const { exit, out, err } = await converting(file, '--tag', '2.41.1')
  expect({ exit, err }).toMatchObject({ exit: 0 })
  expect(parse(out)).toMatchObject({ image: { tag: '2.41.1' } })
  expect(out + err).not.toContain('not-to-be-printed')
})

test('secrets are read where n8n reads them, and a key that nobody gave from its folder', async () => {
  const inEnvironment =
    `<(kubectl exec deployment/prod-n8n-main -- node -e ` + `'process.stdout.write(process.env.N8N_ENCRYPTION_KEY)')`
  expect((await converting('official-standalone.yaml', '--tag', '2.41.1', '--release', 'prod')).err).toContain(
    inEnvironment,
  )
  const file = await write(
    folder,
    'theirs.yaml',
    'main: { config: { db: { type: postgresdb, postgresdb: { host: db } } }, secret: { db: { postgresdb: { '
      + 'password: x } } } }',
  )
  expect((await command('convert', '--from', '8gears', '--tag', '2.41.1', file)).err).toContain(
    'readFileSync("/home/node/.n8n/config")',
  )
})

test('text that YAML of Helm would not take for text keeps its quotes', async () => {
  expect((await converting('official-queue.yaml')).out).toContain('proxy-buffering: "off"')
})

test('values that the chart refuses are printed, and what to change is said', async () => {
  const file = await write(
    folder,
    'refused.yaml',
    'multiMain: { enabled: true, replicas: 2 }\ndatabase: { host: db }\nredis: { host: redis }\nsecretRefs: '
      + '{ existingSecret: x }\n',
  )
  const { exit, out, err } = await command('convert', '--from', 'official', '--tag', '2.41.1', file)
  expect(exit).toBe(2)
  expect(parse(out)).toMatchObject({ main: { replicas: 2 } })
  expect(err).toMatch(/main\.replicas: Expected 0 or 1 without a licence[^]*\nFix: /)
})

test.each([
  [
    'an image that moves',
    ['--from', 'official', join(fixtures, 'official-standalone.yaml')],
    'Expected the exact n8n version that runs there, got "stable"',
  ],
  [
    'a Compose file without n8n',
    ['--from', 'compose', join(fixtures, '8gears-small.yaml')],
    'Expected a service with n8n’s image',
  ],
  [
    'variables without a value',
    ['--from', 'compose', join(fixtures, 'compose-sqlite.yaml')],
    'Expected a value for N8N_VERSION, SUBDOMAIN, DOMAIN_NAME, found none',
  ],
  ['a file that is not there', ['--from', 'community', join(folder, 'nowhere.yaml')], 'Expected a readable YAML file'],
])('%s ends with exit 2 and the way out', async (_, words, said) => {
  const { exit, out, err } = await command('convert', ...words)
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
  expect(err).toContain(said)
  expect(err).toContain('Fix: ')
})
