import { recordedAs } from '../../../loadtests/src/outside/recording.ts'
import { outsideSchema } from '../../../loadtests/src/profile/outside.ts'

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
  expect(outsideSchema.parse({ rules: [rule] }).rules[0]).toMatchObject({
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
