import { looksRandom, withoutForms } from '../../../loadtests/src/secret/forms.ts'

test.each([
  ['connect postgres://n8n:pa:ss@db:5432/n8n failed', 'connect postgres://REDACTED@db:5432/n8n failed'],
  [
    'https://s3.example.com/a?X-Amz-Credential=c&X-Amz-Date=20261127&X-Amz-Signature=s',
    'https://s3.example.com/a?X-Amz-Credential=REDACTED&X-Amz-Date=20261127&X-Amz-Signature=REDACTED',
  ],
  ['https://x.blob.example.com/a?sv=2024&sig=a%2Fb', 'https://x.blob.example.com/a?sv=2024&sig=REDACTED'],
  ['authorization: Bearer abc', 'authorization: REDACTED'],
  ['sent "Bearer abcdefgh123"', 'sent "Bearer REDACTED"'],
  ['{"password":"hunter2","n":1}', '{"password":"REDACTED","n":1}'],
  ['user=n8n password=hunter2 host=db', 'user=n8n password=REDACTED host=db'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_', 'REDACTED'],
  [`key ${'AKIA'}IOSFODNN7EXAMPLE`, 'key REDACTED'],
  [`${'ghp_'}abcdefghijklmnop1234 ${'xoxb-'}123456789-abc ${'sk-'}abcdefghijklmnop1234`, 'REDACTED REDACTED REDACTED'],
])('%s is written as %s', (text, kept) => {
  expect(withoutForms(text)).toBe(kept)
})

test('what only speaks of secrets stays', () => {
  const said = [
    'Its credentials are missing: put the bearer token into N8N_TUNED_METRICS_TOKEN.',
    'database.password: Expected a value or existingSecret, got none.',
    'http://127.0.0.1:5678/webhook/ping?page=2',
    'n8nio/n8n:2.41.1@sha256:0a0b',
    'me@example.com',
  ]
  expect(said.map((text) => withoutForms(text))).toEqual(said)
})

test.each([
  '9f86d081884c7d659a2feaa0',
  'planted-secret-17-a8f3',
  'AbCdEfGhIjKlMnOpQrSt',
  '6f9619ff-8b86-d011-b42d-00c04fc964ff',
])('%s looks random', (text) => expect(looksRandom(text)).toBe(true))

test.each([
  '2026-11-27T10:00:00.000Z',
  'https://example.com/orders/4711-0815',
  'ann.miller.1970@example.com',
  'customer.subscription.created',
  'application/vnd.api+json',
  'two words of 12345678',
  'short-1234',
])('%s does not', (text) => expect(looksRandom(text)).toBe(false))
