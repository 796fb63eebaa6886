import { join } from 'node:path'
import { rememberCredentials, rememberRequests } from '../../../loadtests/src/secret/given.ts'
import { remember, rememberValues, shown } from '../../../loadtests/src/secret/known.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { cell, run } from '../fixtures/records.ts'
import { openRecorder, readRecords } from '../../../loadtests/src/run/record-file.ts'

const folder = temporaryFolder()

test('a secret that was given is found in what others say, however they write it', () => {
  remember('p"ss w0rd/1')
  const written = ['p"ss w0rd/1', JSON.stringify('p"ss w0rd/1'), encodeURIComponent('p"ss w0rd/1'), btoa('p"ss w0rd/1')]
  expect(written.map((text) => shown(`n8n said: ${text}.`))).toEqual([
    'n8n said: REDACTED.',
    'n8n said: "REDACTED".',
    'n8n said: REDACTED.',
    'n8n said: REDACTED.',
  ])
})

test('a short one is replaced only as a whole word', () => {
  remember('hunter2')
  expect(shown('hunter2, hunter23')).toBe('REDACTED, hunter23')
})

test('each line of a longer secret is one', () => {
  remember('-----first line of a key\n  second line of a key')
  expect(shown('… second line of a key')).toBe('… REDACTED')
})

test('words that reports need stay', () => {
  for (const word of ['postgres', 'main', 'n8n']) remember(word)
  expect(shown('main of n8n on postgres')).toBe('main of n8n on postgres')
})

test('the values, credentials and requests of a run are given', () => {
  rememberValues({
    database: { password: { value: 'of-the-database' } },
    role: { extraEnv: { X: 'x-4711-unknown-0815' } },
  })
  rememberCredentials([{ data: { name: 'x-shop-key', value: 'of-the-shop', host: 'shop.example.com' } }])
  rememberRequests([
    {
      path: '/webhook/orders?signed=4711-query-0815-abc',
      headers: { 'x-key': 'of-the-header', authorization: `Basic ${btoa('me:of-basic-auth')}`, accept: 'text/html' },
      body: { kind: 'text', text: '{"user":{"name":"Ann","password":"of-the-body"}}', escape: 'json' },
    },
  ])
  const secrets =
    'of-the-database x-4711-unknown-0815 of-the-shop 4711-query-0815-abc of-the-header of-basic-auth of-the-body'
  expect(shown(secrets)).toBe(secrets.replace(/\S+/g, 'REDACTED'))
  expect(shown('x-shop-key shop.example.com Ann text/html')).toBe('x-shop-key shop.example.com Ann text/html')
})

test('a recorder writes none down', async () => {
  const recorder = await openRecorder(join(folder, 'run'))
  const secret = { database: { password: { value: 'pl4nted-one' } } }
  rememberValues(secret)
  recorder.add(
    run({
      command: 'n8n-tuned check --metrics-url https://n8n.example.com/metrics?token=pl4nted-two',
      experiment: {
        base: secret,
        variants: [{ name: 'a', values: secret }],
        matrix: { 'encryptionKey.value': ['pl4nted-three'] },
      },
    }),
  )
  recorder.add(cell(0, { values: secret, matrix: { 'encryptionKey.value': 'pl4nted-three' } }))
  recorder.add({ type: 'warning', at: 0, warning: 'password authentication failed for "pl4nted-one"' })
  await recorder.close()
  expect(JSON.stringify([recorder.records, await readRecords(recorder.dir)])).not.toContain('pl4nted')
})
