import { recordedAs } from '../../../../loadtests/src/workload/outside/server/recorder.ts'
import { Outside } from '../../../../loadtests/src/model/outside.ts'

const asked = { method: 'POST', host: 'api.example.com', path: '/v1/orders/7' }
const json = { 'content-type': 'application/json' }
const recorded = (headers: object, body: string | Buffer) =>
  recordedAs(asked, { status: 201, headers: headers as Record<string, string>, body: Buffer.from(body) }, 82.4)

test('an answer becomes a rule that a file may hold', () => {
  const rule = recorded(json, '{"id":7}')
  expect(rule).toEqual({
    host: 'api.example.com',
    method: 'POST',
    path: '/v1/orders/*',
    status: 201,
    headers: json,
    body: { id: 7 },
    latency: '82ms',
  })
  expect(Outside.parse({ rules: [rule] }).rules[0]).toMatchObject({
    body: { id: 7 },
    latency: { p50: 82, p95: 82 },
  })
})

test('no secret is kept: cookies, headers about authorization, and what JSON names so', () => {
  const text = JSON.stringify(
    recorded(
      { ...json, 'set-cookie': 'a=s3cret', authorization: 's3cret', 'x-api-key': 's3cret' },
      '{"access_token":"s3cret","user":{"password":"s3cret","name":"Ann"}}',
    ),
  )
  expect(text).not.toContain('s3cret')
  expect(text).toContain('Ann')
})

test('bytes stay bytes', () => {
  expect(recorded({ 'content-type': 'image/png' }, Buffer.from([137, 80, 0]))).toMatchObject({ base64: 'iVAA' })
})

test('JSON that is none stays a text', () => {
  expect(recorded(json, 'oops').body).toBe('oops')
})

const bodyOf = (text: string, type = 'application/json') => recorded({ 'content-type': type }, text).body

test.each<[string, string, unknown]>([
  ['a list of tokens', '{"tokens":["t1","t2"],"next":2}', { tokens: ['REDACTED', 'REDACTED'], next: 2 }],
  ['ids that let one in', '{"session_id":"s","token_type":"bearer"}', { session_id: 'REDACTED', token_type: 'bearer' }],
  ['what is inside', '{"secret":{"value":"v","type":"basic"}}', { secret: { value: 'REDACTED', type: 'basic' } }],
  ['texts that hold JSON', '{"raw":"{\\"api_key\\":\\"v\\"}"}', { raw: '{"api_key":"REDACTED"}' }],
  [
    'what is long and random',
    '{"handle":"9f86d081884c7d659a2feaa0","id":"9f86d081884c7d659a2feaa0"}',
    { handle: 'REDACTED', id: '9f86d081884c7d659a2feaa0' },
  ],
  [
    'signed URLs',
    '{"url":"https://s3.example.com/a?X-Amz-Signature=s&page=2"}',
    { url: 'https://s3.example.com/a?X-Amz-Signature=REDACTED&page=2' },
  ],
  ['a figure that is a PIN', '{"pin":1234,"max_tokens":4096}', { pin: 'REDACTED', max_tokens: 4096 }],
])('of JSON, %s: no secret is kept', (_, text, kept) => {
  expect(bodyOf(text)).toEqual(kept)
})

test.each([
  [
    'a form',
    'access_token=abc%3D&token_type=bearer&user=Ann',
    'access_token=REDACTED&token_type=bearer&user=Ann',
    'application/x-www-form-urlencoded',
  ],
  [
    'XML',
    '<a><ApiKey id="1">abc</ApiKey><name>Ann</name></a>',
    '<a><ApiKey id="1">REDACTED</ApiKey><name>Ann</name></a>',
    'application/xml',
  ],
  [
    'lines of JSON',
    '{"token":"a"}\n{"name":"Ann"}\n',
    '{"token":"REDACTED"}\n{"name":"Ann"}\n',
    'application/x-ndjson',
  ],
  [
    'a page',
    '<input name="q" data-token="abcdef">Hello Ann',
    '<input name="q" data-token="REDACTED">Hello Ann',
    'text/html',
  ],
  ['a text without a type', 'password=hunter2', 'password=REDACTED', ''],
])('of %s no secret is kept', (_, text, kept, type) => {
  expect(bodyOf(text, type)).toBe(kept)
})

test('of the address that it leads to, neither a signature nor a token is kept', () => {
  const location = 'https://files.example.com/get/9f86d081884c7d659a2feaa0?expires=12&sig=abc'
  const link = '<https://api.example.com/orders?page=2&access_token=abc>; rel="next"'
  expect(recorded({ ...json, location, link }, '').headers).toEqual({
    ...json,
    location: 'https://files.example.com/get/REDACTED?expires=12&sig=REDACTED',
    link: '<https://api.example.com/orders?page=2&access_token=REDACTED>; rel="next"',
  })
})
