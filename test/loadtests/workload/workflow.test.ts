import { createHmac } from 'node:crypto'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { readCredentials } from '../../../loadtests/src/n8n/credentials.ts'
import { findWorkflow, type GivenBeside } from '../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
const webhook = {
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  webhookId: 'abc',
  parameters: { path: 'orders', httpMethod: 'POST' },
}
const orders = { id: 'w1', name: 'Orders', nodes: [webhook] }

async function found(workflow: object = orders, given: GivenBeside = {}) {
  return findWorkflow(await write(folder, 'orders.json', workflow), { file: 'mine.yaml', line: 4 }, given)
}
const sent = async (request: unknown, workflow?: object) => (await found(workflow, { request })).requests[0]!
const refused = async (request: unknown, workflow?: object) => refusalOf(() => sent(request, workflow))

describe('a request has', () => {
  test('a body as JSON', async () => {
    expect(await sent({ body: { order: 1 } })).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { kind: 'text', text: '{"order":1}', escape: 'json' },
    })
  })

  test('a counting field that is all of a value as a number', async () => {
    expect((await sent({ body: { id: '{{counter}}', name: 'order {{counter}}' } })).body).toMatchObject({
      text: '{"id":{{counter}},"name":"order {{counter}}"}',
    })
  })

  test('a query and headers, its own over those that follow from its body', async () => {
    expect(
      await sent({
        query: { kind: ['a b', 'c'], id: '{{uuid}}' },
        headers: { 'Content-Type': 'application/vnd.shop+json' },
        body: {},
      }),
    ).toMatchObject({
      path: '/webhook/orders?kind=a%20b&kind=c&id={{uuid}}',
      headers: { 'content-type': 'application/vnd.shop+json' },
    })
  })

  test('a form', async () => {
    expect(await sent({ form: { name: 'a&b', at: '{{time}}' } })).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { text: 'name=a%26b&at={{time}}', escape: 'url' },
    })
  })

  test('files of a form', async () => {
    const file = await write(folder, 'photo.png', 'pixels')
    expect((await sent({ form: { name: 'x' }, files: { photo: file } })).body).toEqual({
      kind: 'multipart',
      fields: { name: 'x' },
      files: [
        { field: 'photo', name: 'photo.png', type: 'image/png', base64: Buffer.from('pixels').toString('base64') },
      ],
    })
  })

  test('a file as its body', async () => {
    const file = await write(folder, 'order.xml', '<order/>')
    expect(await sent({ file })).toMatchObject({
      headers: { 'content-type': 'application/xml' },
      body: { kind: 'bytes' },
    })
  })

  test.each([
    [
      'basic',
      { basic: { user: 'jane', password: 'pass' } },
      { authorization: `Basic ${Buffer.from('jane:pass').toString('base64')}` },
    ],
    ['header', { header: { name: 'X-Key', value: 'k' } }, { 'x-key': 'k' }],
    ['bearer', { bearer: 't' }, { authorization: 'Bearer t' }],
  ])('what passes the webhook: %s', async (_, auth, headers) => {
    expect((await sent({ auth })).headers).toEqual(headers)
  })

  test('what passes the webhook: a JWT that is signed here', async () => {
    const { headers } = await sent({ auth: { jwt: { secret: 's', payload: { sub: 'lab' } } } })
    const [head, payload, signature] = headers.authorization!.replace('Bearer ', '').split('.')
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString())).toEqual({ sub: 'lab' })
    expect(signature).toBe(createHmac('sha256', 's').update(`${head}.${payload}`).digest('base64url'))
  })

  test('rows of a CSV', async () => {
    const rows = await write(folder, 'people.csv', 'name,city\n"Doe, Jane",Rome\nJoe,Oslo\n')
    const { requests, tables } = await found(orders, { request: { rows, body: { name: '{{row.name}}' } } })
    expect(tables).toEqual([
      [
        { name: 'Doe, Jane', city: 'Rome' },
        { name: 'Joe', city: 'Oslo' },
      ],
    ])
    expect(requests[0]!.table).toBe(0)
    expect((await refused({ rows, body: '{{row.street}}' })).message).toContain(
      'Expected a column "street" for {{row.street}}, got name, city.',
    )
  })

  test.each([
    [
      'a method that the webhook does not take',
      { method: 'DELETE' },
      'Expected POST, which "Webhook" takes, got DELETE.',
    ],
    [
      'another webhook',
      { webhook: '/webhook/refunds' },
      'Expected a request to one of its triggers, "Webhook" (/webhook/orders), got one to /webhook/refunds.',
    ],
  ])('not %s', async (_, request, message) => {
    expect(await refused(request)).toMatchObject({
      code: 'bad-request',
      exit: exitCodes.usage,
      message: `mine.yaml:4: ${message}`,
    })
  })
})

describe('where nobody says what to send', () => {
  const pinned = (json: object) => ({ ...orders, pinData: { Webhook: [{ json }] } })

  test('it is what is pinned on the Webhook node', async () => {
    const { requests } = await found(
      pinned({
        headers: { host: 'n8n', 'content-length': '9', 'x-shop': 'a' },
        params: {},
        query: { kind: 'new' },
        body: { order: 7 },
      }),
    )
    expect(requests).toMatchObject([
      {
        path: '/webhook/orders?kind=new',
        headers: { 'content-type': 'application/json', 'x-shop': 'a' },
        body: { text: '{"order":7}' },
      },
    ])
    expect(requests[0]!.headers).not.toHaveProperty('host')
  })

  test('an empty body that is pinned is none', async () => {
    expect((await found(pinned({ headers: {}, body: {} }))).requests[0]!.body).toBeNull()
  })

  test('it is a bare request, and a workflow that reads its body warns', async () => {
    const reading = {
      ...orders,
      nodes: [webhook, { name: 'Set', type: 'n8n-nodes-base.set', parameters: { value: '={{ $json.body.order }}' } }],
    }
    expect((await found(reading)).warnings).toEqual([
      expect.stringMatching(/^orders reads the body of its requests, and they have none/),
    ])
    expect((await found(reading, { request: { body: {} } })).warnings).toEqual([])
  })

  test.each([
    "={{ $('Webhook').item.json.body.order }}",
    'return $input.all().map(({ json }) => json.body)',
    '={{ $json["body"] }}',
    "={{ $node['Webhook'].json['body'].id }}",
  ])('a workflow reads its body: %s', async (value) => {
    expect(
      (await found({ ...orders, nodes: [webhook, { name: 'Set', type: 'n8n-nodes-base.set', parameters: { value } }] }))
        .warnings,
    ).toHaveLength(1)
  })
})

describe('a webhook that asks for credentials', () => {
  const locked = {
    ...orders,
    nodes: [
      {
        ...webhook,
        parameters: { ...webhook.parameters, authentication: 'headerAuth' },
        credentials: { httpHeaderAuth: { id: 'c1', name: 'Shop' } },
      },
    ],
  }
  const credentials = [{ id: 'c1', name: 'Shop', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'k' } }]

  test('gets those of its own credential', async () => {
    expect((await found(locked, { credentials })).requests[0]!.headers).toEqual({ 'x-key': 'k' })
  })

  test('is refused without them before anything starts', async () => {
    expect(await refusalOf(() => found(locked))).toMatchObject({
      code: 'missing-credential',
      exit: exitCodes.usage,
      message: expect.stringContaining('"Shop"'),
    })
  })

  test('is refused where the lab imports nothing and sends none', async () => {
    expect(await refusalOf(() => found(locked, { imported: false }))).toMatchObject({
      code: 'missing-auth',
      exit: exitCodes.usage,
    })
    await expect(
      found(locked, { imported: false, request: { auth: { header: { name: 'x-key', value: 'k' } } } }),
    ).resolves.toBeDefined()
  })
})

test('credentials of other nodes that were not given are warned of', async () => {
  const calling = {
    ...orders,
    nodes: [
      webhook,
      { name: 'HTTP', type: 'n8n-nodes-base.httpRequest', credentials: { httpBasicAuth: { id: 'c2', name: 'CRM' } } },
    ],
  }
  expect((await found(calling)).warnings).toEqual([expect.stringContaining('CRM')])
})

describe('a file of credentials', () => {
  const read = async (content: string | object) => readCredentials(await write(folder, 'credentials.json', content))

  test('is what n8n exports, one or many', async () => {
    const one = { id: 1, name: 'Shop', type: 'httpHeaderAuth', data: { value: 'k' } }
    expect(await read([one])).toEqual([{ ...one, id: '1' }])
    expect(await read(one)).toHaveLength(1)
  })

  test.each([
    ['encrypted', [{ id: '1', name: 'a', type: 'b', data: 'U2FsdGVk' }], 'encrypted ones'],
    ['without data', [{ id: '1', name: 'a', type: 'b' }], 'one without id, name, type or data'],
    ['of nothing', [], 'none'],
    ['no JSON', 's3cret', 'no JSON'],
  ])('is refused when it is %s, and nothing of it is repeated', async (_, content, got) => {
    const refusal = await refusalOf(() => read(content))
    expect(refusal).toMatchObject({ code: 'bad-credentials', exit: exitCodes.usage })
    expect(refusal.message).toMatch(new RegExp(`, got ${got}\\.$`))
    expect(refusal.message).not.toMatch(/s3cret|U2Fsd/)
  })
})
