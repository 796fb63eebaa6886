import type { Area, Case } from '../case.ts'
import { code, respond, set } from '../workflow.ts'
import { asked, manyItems } from './asked.ts'

const binary = code(
  `const data = Buffer.from('some bytes').toString('base64')
  return [{ json: {}, binary: { data: { data, mimeType: 'text/plain', fileName: 'some.txt' } } }]`,
  'Binary',
)

const cases: Case[] = [
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
    act: async (n8n) => void (await n8n.ask('/webhook/wh-answers-nothing-when-the-la', { status: 500 })),
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
      act: async (n8n) => void (await n8n.ask('/webhook/wh-a-node-answers-with-text-st?greeting=you', { status: 418 })),
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
    act: async (n8n) => void (await n8n.ask('/webhook/wh-no-node-answers-though-one-', { status: 500 })),
    ends: ['error'],
  }),
]

export const webhookAnswers: Area = { name: 'webhooks: answers', cases }
