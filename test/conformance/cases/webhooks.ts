import type { Area, Case } from '../case.ts'
import { chain, code, respond, set, webhook, type Node } from '../workflow.ts'

const manyItems = code(`return [1, 2, 3].map((number) => ({ json: { number, name: 'item ' + number } }))`)
const binary = code(
  `return [{ json: {}, binary: { data: { data: Buffer.from('some bytes').toString('base64'), mimeType: 'text/plain', fileName: 'some.txt' } } }]`,
  'Binary',
)
const json = { headers: { 'content-type': 'application/json' } }

/** A webhook and what follows it, asked once. */
const asked = (
  name: string,
  parameters: object,
  rest: Node[],
  more: Partial<Case> = {},
  path = `wh-${name.replace(/\W+/g, '-').toLowerCase()}`,
): Case => ({
  name,
  workflows: [chain(path, [webhook(path, parameters), ...rest])],
  act: async (n8n) => void (await n8n.ask(`/webhook/${path}?greeting=hello&list=1&list=2`)),
  ...more,
})

const posting =
  (path: string, body: string, headers: Record<string, string>): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`, { method: 'POST', body, headers }))

const responses: Case[] = [
  asked('answers at once', { responseMode: 'onReceived' }, [set({ late: 'yes' })]),
  asked('answers at once with given data', { responseMode: 'onReceived', options: { responseData: 'taken, thanks' } }, [
    set({ late: 'yes' }),
  ]),
  asked(
    'answers at once with another status',
    { responseMode: 'onReceived', options: { responseCode: { values: { responseCode: 202 } } } },
    [set({ late: 'yes' })],
  ),
  asked('answers the first item of the last node', {}, [manyItems]),
  asked('answers every item of the last node', { responseData: 'allEntries' }, [manyItems]),
  asked('answers no body', { responseData: 'noData' }, [manyItems]),
  asked('answers one property', { options: { responsePropertyName: 'name' } }, [manyItems]),
  asked('answers binary data', { responseData: 'firstEntryBinary', options: { responseBinaryPropertyName: 'data' } }, [
    binary,
  ]),
  asked(
    'answers custom headers and type',
    {
      options: {
        responseHeaders: { entries: [{ name: 'X-Answer', value: '42' }] },
        responseContentType: 'text/x-special',
        responsePropertyName: 'name',
      },
    },
    [manyItems],
  ),
  asked('answers nothing when the last node has no item', {}, [code('return []')], {
    act: async (n8n) =>
      void (await n8n.ask('/webhook/wh-answers-nothing-when-the-last-node-has-no-item', { status: 500 })),
  }),
  asked('a node answers with JSON', { responseMode: 'responseNode' }, [
    respond({ respondWith: 'json', responseBody: '={{ { query: $json.query } }}' }),
    set({ after: 'answer' }),
  ]),
  asked(
    'a node answers with text, status and headers',
    { responseMode: 'responseNode' },
    [
      respond({
        respondWith: 'text',
        responseBody: '=Hello {{ $json.query.greeting }}',
        options: { responseCode: 418, responseHeaders: { entries: [{ name: 'X-Kind', value: 'teapot' }] } },
      }),
    ],
    {
      act: async (n8n) =>
        void (await n8n.ask('/webhook/wh-a-node-answers-with-text-status-and-headers?greeting=you', { status: 418 })),
    },
  ),
  asked('a node answers with all items', { responseMode: 'responseNode' }, [
    manyItems,
    respond({ respondWith: 'allIncomingItems' }),
  ]),
  asked('a node answers with the first item', { responseMode: 'responseNode' }, [
    manyItems,
    respond({ respondWith: 'firstIncomingItem' }),
  ]),
  asked('a node answers with binary data', { responseMode: 'responseNode' }, [
    binary,
    respond({ respondWith: 'binary' }),
  ]),
  asked('a node answers without data', { responseMode: 'responseNode' }, [respond({ respondWith: 'noData' })]),
  asked(
    'a node redirects',
    { responseMode: 'responseNode' },
    [respond({ respondWith: 'redirect', redirectURL: 'https://example.com/there' })],
    {
      act: async (n8n) => void (await n8n.ask('/webhook/wh-a-node-redirects', { status: 307 })),
    },
  ),
  asked('no node answers though one should', { responseMode: 'responseNode' }, [set({ silent: 'yes' })], {
    act: async (n8n) => void (await n8n.ask('/webhook/wh-no-node-answers-though-one-should', { status: 500 })),
    ends: ['error'],
  }),
]

const requests: Case[] = [
  {
    name: 'several methods of one webhook',
    workflows: [
      chain('wh-methods', [
        webhook('wh-methods', {
          multipleMethods: true,
          responseMode: 'onReceived',
          httpMethod: ['GET', 'PUT', 'DELETE'],
        }),
      ]),
    ],
    ends: ['success', 'success', 'success'],
    async act(n8n) {
      for (const method of ['GET', 'PUT', 'DELETE']) await n8n.ask('/webhook/wh-methods', { method })
      await n8n.ask('/webhook/wh-methods', { method: 'POST', status: 404 })
    },
  },
  {
    name: 'parameters in the path',
    workflows: [
      chain('wh-params', [
        webhook('users/:user/orders/:order', {}, { webhookId: 'wh-params' }),
        set({ user: '={{ $json.params.user }}', order: '={{ $json.params.order }}' }),
      ]),
    ],
    act: async (n8n) => void (await n8n.ask('/webhook/wh-params/users/ada/orders/7%208')),
  },
  asked('a JSON body', { httpMethod: 'POST' }, [], {
    act: posting('wh-a-json-body', '{"a":{"b":[1,null,"ü"]}}', json.headers),
  }),
  asked('a broken JSON body', { httpMethod: 'POST' }, [], {
    act: async (n8n) =>
      void (await n8n.ask('/webhook/wh-a-broken-json-body', { method: 'POST', body: '{"a":', ...json, status: 422 })),
    ends: [],
  }),
  asked('a form body', { httpMethod: 'POST' }, [], {
    act: posting('wh-a-form-body', 'a=1&b=two&b=three', { 'content-type': 'application/x-www-form-urlencoded' }),
  }),
  asked('a text body', { httpMethod: 'POST' }, [], {
    act: posting('wh-a-text-body', 'plain words', { 'content-type': 'text/plain' }),
  }),
  asked('an XML body', { httpMethod: 'POST' }, [], {
    act: posting('wh-an-xml-body', '<a><b>1</b></a>', { 'content-type': 'application/xml' }),
  }),
  asked(
    'a raw body',
    { httpMethod: 'POST', options: { rawBody: true } },
    [
      code(
        `const buffer = await this.helpers.getBinaryDataBuffer(0, 'data'); return [{ json: { raw: buffer.toString('hex') } }]`,
      ),
    ],
    { act: posting('wh-a-raw-body', '{"raw": true}', json.headers) },
  ),
  asked(
    'a binary body, sent back',
    { httpMethod: 'POST', responseData: 'firstEntryBinary', options: { binaryData: true, binaryPropertyName: 'data' } },
    [],
    {
      act: async (n8n) =>
        void (await n8n.ask('/webhook/wh-a-binary-body-sent-back', {
          method: 'POST',
          body: Buffer.from([0, 1, 2, 253, 254, 255]),
          headers: { 'content-type': 'application/octet-stream' },
        })),
    },
  ),
  asked(
    'files and fields of a form, sent back',
    { httpMethod: 'POST' },
    [
      code(
        `const item = $input.first(); const bytes = await this.helpers.getBinaryDataBuffer(0, 'file'); return [{ json: { body: item.json.body, names: Object.keys(item.binary), name: item.binary.file.fileName, text: bytes.toString() } }]`,
      ),
    ],
    {
      async act(n8n) {
        const form = new FormData()
        form.set('title', 'a file')
        form.set('file', new Blob(['in the file'], { type: 'text/plain' }), 'note.txt')
        await n8n.ask('/webhook/wh-files-and-fields-of-a-form-sent-back', { method: 'POST', body: form })
      },
    },
  ),
  asked('a HEAD of a GET webhook', {}, [manyItems], {
    act: async (n8n) => void (await n8n.ask('/webhook/wh-a-head-of-a-get-webhook', { method: 'HEAD', status: 404 })),
    ends: [],
  }),
  asked('a path that nobody has', {}, [], {
    act: async (n8n) => void (await n8n.ask('/webhook/nobody-has-this', { status: 404 })),
    ends: [],
  }),
  asked('a browser asks first', { options: { allowedOrigins: 'https://good.example' } }, [], {
    async act(n8n) {
      const preflight = { origin: 'https://good.example', 'access-control-request-method': 'GET' }
      await n8n.ask('/webhook/wh-a-browser-asks-first', { method: 'OPTIONS', headers: preflight })
      await n8n.ask('/webhook/wh-a-browser-asks-first', { headers: { origin: 'https://good.example' } })
      await n8n.ask('/webhook/wh-a-browser-asks-first', {
        method: 'OPTIONS',
        headers: { ...preflight, origin: 'https://bad.example' },
      })
    },
  }),
  asked('only from listed addresses', { options: { ipWhitelist: '10.1.2.3' } }, [], {
    act: async (n8n) => void (await n8n.ask('/webhook/wh-only-from-listed-addresses', { status: 403 })),
    ends: [],
  }),
  asked('not for bots', { options: { ignoreBots: true } }, [], {
    act: async (n8n) =>
      void (await n8n.ask('/webhook/wh-not-for-bots', { headers: { 'user-agent': 'Googlebot/2.1' }, status: 403 })),
    ends: [],
  }),
]

const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})
/** Signed with HS256 and the passphrase below; says {"sub":"ada"}. */
const signed = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.'

const credentials = [
  { id: 'basic', name: 'basic', type: 'httpBasicAuth', data: { user: 'ada', password: 'sesame' } },
  { id: 'header', name: 'header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'sesame' } },
  { id: 'jwt', name: 'jwt', type: 'jwtAuth', data: { keyType: 'passphrase', secret: 'sesame', algorithm: 'HS256' } },
]

const guarded = (
  name: string,
  authentication: string,
  type: string,
  credential: string,
  act: (path: string) => Case['act'],
): Case => {
  const path = `wh-auth-${credential}`
  const guard = webhook(path, { authentication }, { credentials: { [type]: { id: credential, name: credential } } })
  return { name, workflows: [chain(path, [guard, set({ let: 'in' })])], act: act(`/webhook/${path}`) }
}

const authentication: Case[] = [
  guarded('basic authentication', 'basicAuth', 'httpBasicAuth', 'basic', (path) => async (n8n) => {
    await n8n.ask(path, { status: 401 })
    await n8n.ask(path, { ...basic('ada', 'wrong'), status: [401, 403] })
    await n8n.ask(path, basic('ada', 'sesame'))
  }),
  guarded('a key in a header', 'headerAuth', 'httpHeaderAuth', 'header', (path) => async (n8n) => {
    await n8n.ask(path, { status: 403 })
    await n8n.ask(path, { headers: { 'x-key': 'sesame' } })
  }),
  guarded('a JSON web token', 'jwtAuth', 'jwtAuth', 'jwt', (path) => async (n8n) => {
    const { createHmac } = await import('node:crypto')
    const token = signed + createHmac('sha256', 'sesame').update(signed.slice(0, -1)).digest('base64url')
    await n8n.ask(path, { status: 401 })
    await n8n.ask(path, { headers: { authorization: `Bearer ${token}x` }, status: 403 })
    await n8n.ask(path, { headers: { authorization: `Bearer ${token}` } })
  }),
]

export const webhooks: Area = { name: 'webhooks', cases: [...responses, ...requests, ...authentication], credentials }
