import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../../support/command.ts'
import { inProcess } from '../../support/in-process.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()

test('prints the ecosystem file of the values given, --set over --values', async () => {
  const values = await write(
    folder,
    'queue.yaml',
    'executions: { mode: queue }\ndatabase: { type: embedded }\nworker: { replicas: 3 }\nwebhook: { replicas: 2 }\n',
  )
  const { exit, out } = await inProcess('ecosystem', '--values', values, '--set', 'webhook.replicas=4')
  expect(exit).toBe(0)
  expect(out).toContain("name: 'n8n-worker-2'")
  expect(out).toContain('instances: 4')
})

test('--out writes it to a file, with the command that makes it anew', async () => {
  const file = join(folder, 'ecosystem.config.cjs')
  expect(await command('ecosystem', '--port', '6000', '--out', file)).toMatchObject({ exit: 0, out: '' })
  const text = await readFile(file, 'utf8')
  expect(text).toContain("N8N_PORT: '6000'")
  expect(text).toContain(`Made by: n8n-tuned ecosystem --port 6000 --out ${file}`)
})

test('patches are written to a folder beside the file', async () => {
  const file = join(folder, 'patched.config.cjs')
  const { exit, err } = await inProcess(
    'ecosystem',
    '--set',
    'image.tag=2.41.1',
    '--set',
    'tuning.tier=patched',
    '--out',
    file,
  )
  expect(exit).toBe(0)
  expect(err).toContain('n8n-tuned-patches')
  expect(await readdir(join(folder, 'n8n-tuned-patches'))).toEqual(
    expect.arrayContaining(['loader.js', 'fewerQueries.js']),
  )
})

test('a secret that was given as a value is not in that command', async () => {
  const { out } = await inProcess('ecosystem', '--set', 'encryptionKey.value=sesame')
  expect(out).not.toContain('sesame')
})

test.each([
  ['values that the chart refuses', ['--set', 'nonsense=1'], 'nonsense: there is no such value.'],
  [
    'a plan that is more than processes of n8n',
    ['--set', 'runner.mode=external'],
    'got the container runner beside main',
  ],
  [
    'patches without a file to be beside',
    ['--set', 'image.tag=2.41.1', '--set', 'tuning.tier=patched'],
    'Expected --out to name a file, since patches',
  ],
  [
    'a file that cannot be written',
    ['--out', join(folder, 'nowhere/file.cjs')],
    'Expected --out to name a file to write to',
  ],
])('%s end with exit 2 and the way out', async (_, words, said) => {
  const { exit, err } = await inProcess('ecosystem', ...words)
  expect(exit).toBe(2)
  expect(err).toContain(said)
  expect(err).toContain('Fix: ')
})
