import { join } from 'node:path'
import { openRecorder, readRecords } from '../../../loadtests/src/record/ndjson.ts'
import { withoutSecret, withoutSecrets } from '../../../loadtests/src/record/secrets.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { cell, run } from '../fixtures/records.ts'

const folder = temporaryFolder()

test.each([
  [{ encryptionKey: { value: 'k' } }, { encryptionKey: { value: 'REDACTED' } }],
  [
    { database: { password: { value: 'p' }, user: 'n8n' } },
    { database: { password: { value: 'REDACTED' }, user: 'n8n' } },
  ],
  [{ 'database.password.value': ['a', 'b'] }, { 'database.password.value': ['REDACTED', 'REDACTED'] }],
  [
    { main: { extraEnv: { OPENAI_API_KEY: 'sk', N8N_LOG_LEVEL: 'debug' } } },
    { main: { extraEnv: { OPENAI_API_KEY: 'REDACTED', N8N_LOG_LEVEL: 'debug' } } },
  ],
  [
    {
      extraEnv: [
        { name: 'SMTP_PASSWORD', value: 'p' },
        { name: 'TZ', value: 'UTC' },
      ],
    },
    {
      extraEnv: [
        { name: 'SMTP_PASSWORD', value: 'REDACTED' },
        { name: 'TZ', value: 'UTC' },
      ],
    },
  ],
  [{ extraEnv: { PROXY: 'http://me:pass@proxy:3128' } }, { extraEnv: { PROXY: 'http://REDACTED@proxy:3128' } }],
])('of %j nothing secret is kept', (given, kept) => {
  expect(withoutSecrets<object>(given)).toEqual(kept)
})

test('what names where a secret is, and what is none, is kept', () => {
  const given = {
    encryptionKey: { existingSecret: { name: 'mine', key: 'N8N_ENCRYPTION_KEY' }, value: '' },
    existingSecret: 'mine',
    image: { tag: '2.41.1', pullSecrets: ['registry'] },
    ingress: { tls: [{ secretName: 'tls' }] },
    tuning: { settings: { databasePool: true } },
  }
  expect(withoutSecrets(given)).toEqual(given)
})

test.each([
  ['database.password.value=p=q', 'database.password.value=REDACTED'],
  ['--set=encryptionKey.value=k', '--set=encryptionKey.value=REDACTED'],
  ['main.resources.limits.cpu=2', 'main.resources.limits.cpu=2'],
  ['p95=500ms', 'p95=500ms'],
  ['--set', '--set'],
])('the argument %s is written down as %s', (given, kept) => {
  expect(withoutSecret(given)).toBe(kept)
})

test('a recorder writes none down', async () => {
  const recorder = await openRecorder(join(folder, 'run'))
  const secret = { database: { password: { value: 'hunter2' } } }
  recorder.add(
    run({
      experiment: {
        base: secret,
        variants: [{ name: 'a', values: secret }],
        matrix: { 'encryptionKey.value': ['hunter2'] },
      },
    }),
  )
  recorder.add(cell(0, { values: secret, matrix: { 'encryptionKey.value': 'hunter2' } }))
  await recorder.close()
  expect(JSON.stringify([recorder.records, await readRecords(recorder.dir)])).not.toContain('hunter2')
})
