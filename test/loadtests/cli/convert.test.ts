import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { inProcess } from '../../support/in-process.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { fixtures } from '../convert/converting.ts'

const folder = temporaryFolder()
const files = readdirSync(fixtures).filter((file) => file.endsWith('.yaml'))
const env = ['--env', join(fixtures, 'compose.env')]
const converting = (file: string, ...words: string[]) => {
  const from = file.split('-')[0]!
  return inProcess('convert', '--from', from, ...(from === 'compose' ? env : []), ...words, join(fixtures, file))
}

test.each(files)('%s becomes values that the chart renders, without a secret', async (file) => {
  const { exit, out, err } = await converting(file, '--tag', '2.41.1')
  expect({ exit, err }).toMatchObject({ exit: 0 })
  expect(Object.values((parse(out) as Record<string, object>).image!)).toContain('2.41.1')
  expect(out + err).not.toContain('not-to-be-printed')
})

test('a key that nobody knows ends it, each with its line, and nothing is printed', async () => {
  const unknown = 'queueMode: { enabled: false }\nmainframe:\n  a: 1\n  b: 2\n'
  const file = await write(folder, 'unknown.yaml', unknown)
  const { exit, out, err } = await inProcess('convert', '--from', 'official', '--tag', '2.41.1', file)
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
  expect(err).toContain(`${file}:3: mainframe.a\n  ${file}:4: mainframe.b`)
  expect(err).toMatch(/\nFix: .*--drop mainframe\.a/)
})

test('an anchor’s keys have the line where they stand', async () => {
  const file = await write(
    folder,
    'anchors.yaml',
    'x-n8n: &n8n\n  image: n8nio/n8n:2.41.1\n  colour: green\nservices:\n  n8n: { <<: *n8n }\n',
  )
  const { err } = await inProcess('convert', '--from', 'compose', file)
  expect(err).toContain(`${file}:3: services.n8n.colour`)
})

test('it says how many keys there were, and what became of them', async () => {
  const { err } = await converting('official-standalone.yaml', '--tag', '2.41.1')
  expect(err).toMatch(/line 8: secretRefs\.env\.N8N_HOST → publicUrl\n/)
  expect(err).toMatch(/\n11 keys: 7 converted, 4 dropped, 0 left to you\.\n$/)
})

test('values within an object of GitOps, or of a chart that contains theirs, have lines of that file', async () => {
  const inside = 'kind: HelmRelease\nspec:\n  values:\n    queueMode: { enabled: false }\n    mainframe: 1\n'
  const file = await write(folder, 'release.yaml', inside)
  const { err } = await inProcess('convert', '--from', 'official', '--tag', '2.41.1', file)
  expect(err).toContain(`${file}:5: mainframe`)
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
  const { exit, out, err } = await inProcess('convert', '--from', 'official', '--tag', '2.41.1', file)
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
  const { exit, out, err } = await inProcess('convert', ...words)
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
  expect(err).toContain(said)
  expect(err).toContain('Fix: ')
})
