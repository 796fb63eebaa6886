import type { Area, Case } from '../case.ts'
import { chain, code, set, webhook } from '../workflow.ts'
import { asked, manyItems } from './asked.ts'

const json = { headers: { 'content-type': 'application/json' } }

const posting =
  (path: string, body: string, headers: Record<string, string>): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`, { method: 'POST', body, headers }))

const cases: Case[] = [
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
        `const buffer = await this.helpers.getBinaryDataBuffer(0, 'data'); return [{ json: { raw: `
          + `buffer.toString('hex') } }]`,
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
        `const item = $input.first(); const bytes = await this.helpers.getBinaryDataBuffer(0, 'file'); `
          + `return [{ json: { body: item.json.body, names: Object.keys(item.binary), name: `
          + `item.binary.file.fileName, text: bytes.toString() } }]`,
      ),
    ],
    {
      async act(n8n) {
        const form = new FormData()
        form.set('title', 'a file')
        form.set('file', new Blob(['in the file'], { type: 'text/plain' }), 'note.txt')
        await n8n.ask('/webhook/wh-files-and-fields-of-a-form-', { method: 'POST', body: form })
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

export const webhookRequests: Area = { name: 'webhooks: requests', cases }
