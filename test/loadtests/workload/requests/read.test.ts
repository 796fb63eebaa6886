import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import { readRequests, requestsIn } from '../../../../loadtests/src/workload/requests/read.ts'
import { refusalOf } from '../../../support/refusal.ts'

const read = (text: string) => requestsIn(text, 'orders.txt')
const refused = async (text: string) => {
  const refusal = await refusalOf(() => read(text))
  expect(refusal).toMatchObject({ code: 'bad-request', exit: exitCodes.usage })
  return refusal
}

describe('a file of requests is', () => {
  test('one as JSON', () => {
    expect(read('{ "method": "post", "body": { "order": 1 } }')).toMatchObject([
      { method: 'POST', body: { order: 1 }, weight: 1 },
    ])
  })

  test('a list of kinds as JSON', () => {
    expect(read('[{ "weight": 3 }, { "body": "x" }]')).toMatchObject([{ weight: 3 }, { weight: 1, body: 'x' }])
  })

  test('NDJSON, one request a line', () => {
    expect(read('{ "body": 1 }\n\n{ "body": 2 }\n')).toMatchObject([{ body: 1 }, { body: 2 }])
  })

  test('an HTTP archive, of which the requests to webhooks count', () => {
    const entry = (url: string, more: object = {}) => ({
      request: {
        method: 'POST',
        url,
        headers: [
          { name: 'Host', value: 'n8n' },
          { name: 'X-Shop', value: 'a' },
          { name: 'Content-Type', value: 'application/json' },
        ],
        ...more,
      },
    })
    const har = {
      log: {
        entries: [
          entry('https://n8n.example.com/logo.svg'),
          entry('https://n8n.example.com/webhook/orders?kind=new&kind=old', {
            postData: { mimeType: 'application/json', text: '{"order":1}' },
          }),
        ],
      },
    }
    expect(read(JSON.stringify(har))).toMatchObject([
      {
        method: 'POST',
        webhook: '/webhook/orders',
        query: { kind: ['new', 'old'] },
        headers: { 'x-shop': 'a', 'content-type': 'application/json' },
        body: '{"order":1}',
      },
    ])
  })

  test.each([
    [
      'as a browser copies it',
      String.raw`curl 'https://n8n.example.com/webhook/orders?kind=new' \
  -H 'content-type: application/json' -H 'accept-encoding: gzip' --data-raw $'{"name":"O\'Neill \u00e9"}' --compressed`,
      {
        method: 'POST',
        query: { kind: ['new'] },
        headers: { 'content-type': 'application/json' },
        body: '{"name":"O\'Neill é"}',
      },
    ],
    [
      'with a user',
      'curl -sSu jane:a:b http://n8n/webhook/orders',
      { method: 'GET', auth: { basic: { user: 'jane', password: 'a:b' } } },
    ],
    [
      'with JSON',
      'curl --json \'{"a":1}\' n8n:5678/webhook/orders',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    ],
    [
      'with fields',
      'curl -d a=1 -d "b=2 3" http://n8n/webhook/orders',
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2 3' },
    ],
    [
      'with fields in the query',
      'curl -G --data-urlencode "q=a b" http://n8n/webhook/orders',
      { method: 'GET', query: { q: ['a b'] } },
    ],
    [
      'with a file',
      'curl -X PUT --data-binary @photo.jpg http://n8n/webhook/orders',
      { method: 'PUT', file: 'photo.jpg' },
    ],
    [
      'with files',
      'curl -F name=x -F "photo=@a.jpg;type=image/jpeg" http://n8n/webhook/orders',
      { method: 'POST', form: { name: 'x' }, files: { photo: { path: 'a.jpg', type: 'image/jpeg' } } },
    ],
  ])('a curl command %s', (_, command, request) => {
    expect(read(command)).toMatchObject([{ webhook: '/webhook/orders', ...request }])
  })
})

describe('refused is', () => {
  test('a key that a request does not have, with those that it has', async () => {
    const { message, hint } = await refused('{ "orderId": 17 }')
    expect(message).toBe('orders.txt: Expected a request without the key "orderId", got it.')
    expect(hint).toContain('put the data to send under body')
  })

  test('a line that is no JSON, at its number', async () => {
    expect((await refused('{ "body": 1 }\nbody: 2')).message).toBe(
      'orders.txt:2: Expected JSON, one request for each line, got something else.',
    )
  })

  test.each([
    ['an empty file', '\n', /got an empty file\.$/],
    ['an empty list', '[]', /got an empty list\.$/],
    ['a body twice', '{ "body": 1, "form": {} }', /Expected one of body, file, or form with files/],
    [
      'a status that is none',
      '{ "expect": { "status": "ok" } }',
      /expect\.status: Expected a status, or a list of them/,
    ],
    [
      'a variable that is not set',
      '{ "headers": { "x-key": { "env": "N8N_TUNED_NO_SUCH_KEY" } } }',
      /Expected .*N8N_TUNED_NO_SUCH_KEY to be set/,
    ],
    ['an archive without webhooks', '{ "log": { "entries": [] } }', /got none among 0\.$/],
    ['a curl command without a URL', 'curl -s', /with a URL, got one without\.$/],
    ['an option of curl that the lab does not know', 'curl --proxy x http://n8n/webhook/a', /Unknown option '--proxy'/],
  ])('%s', async (_, text, message) => {
    expect((await refused(text)).message).toMatch(message)
  })

  test('what was wrong with a secret, which is not repeated', async () => {
    expect((await refused('{ "auth": { "bearer": 12345678 } }')).message).not.toContain('1234')
  })

  test('a file that is not there', async () => {
    expect(await refusalOf(() => readRequests('/nowhere/order.json'))).toMatchObject({
      code: 'unreadable-file',
      exit: exitCodes.usage,
    })
  })
})

test('a variable of the environment stands for a secret', () => {
  process.env.N8N_TUNED_TEST_KEY = 'from outside'
  expect(read('{ "headers": { "x-key": { "env": "N8N_TUNED_TEST_KEY" } } }')).toMatchObject([
    { headers: { 'x-key': 'from outside' } },
  ])
})
