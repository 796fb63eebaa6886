import { describe, expect, it } from '@jest/globals'
import type { Catalog } from '../../../../loadtests/src/n8n/catalog.ts'
import { completed } from '../../../../loadtests/src/n8n/exported.ts'
import { fileKind, hintsOf } from '../../../../loadtests/src/workload/inferred/hints.ts'
import { readsOf } from '../../../../loadtests/src/workload/inferred/reads.ts'
import { http, node, set, webhook, workflow, type Built, type Node } from '../../../e2e/fixtures/kinds/build.ts'

const catalog = {
  node: (type: string) => ({ displayName: type.endsWith('slack') ? 'Slack' : 'Google Sheets' }),
} as unknown as Catalog

const hintsIn = (built: Built) => {
  const exported = completed(built, built.name)
  return hintsOf(exported, readsOf(exported, ['Webhook']), catalog)
}
const after = (...nodes: Node[]) => hintsIn(workflow('hinted', [webhook('h'), ...nodes]))
const use = (expression: string) => set('Use', { used: `={{ ${expression} }}` })

describe('an HTTP request is told', () => {
  it.each<[string, string, { host: string; path: string }]>([
    ['by its host and path', 'https://api.example.com/v1/rows?limit=3', { host: 'api.example.com', path: '/v1/rows' }],
    ['by its host alone', 'https://api.example.com', { host: 'api.example.com', path: '/' }],
    [
      'with any text where an expression stands',
      '=https://api.example.com/rows/{{ $json.body.id }}',
      { host: 'api.example.com', path: '/rows/*' },
    ],
    ['with any host where an expression gives it', '={{ $json.base }}/rows', { host: '*', path: '/rows' }],
  ])('%s', (_, url, where) => {
    expect(after(http('Ask', url), use('$json.city'))).toMatchObject([
      { node: 'Ask', method: 'GET', ...where, sample: { city: 'Berlin' } },
    ])
  })

  it('last, where only an expression knows its host', () => {
    const hints = after(http('Any', '={{ $json.x }}{{ $json.y }}'), http('Ask', 'https://api.example.com/rows'))
    expect(hints.map((hint) => hint.node)).toEqual(['Ask', 'Any'])
  })

  it('not at all, where its node is disabled', () => {
    expect(after({ ...http('Ask', 'https://api.example.com'), disabled: true } as Node)).toEqual([])
  })
})

describe('an HTTP request is answered with', () => {
  it.each<[string, string | undefined, Node]>([
    ['a page that is taken apart', 'html', node('Next', 'html', 1.2, { operation: 'extractHtmlContent' })],
    ['a page that becomes Markdown', 'html', node('Next', 'markdown', 1)],
    ['XML', 'xml', node('Next', 'xml', 1)],
    ['what is read of it', undefined, use('$json.city')],
  ])('%s', (_, as, next) => {
    expect(after(http('Ask', 'https://api.example.com'), next)[0]?.as).toBe(as)
  })

  it('a file of the kind that is taken out of it', () => {
    const asking = http('Ask', 'https://api.example.com')
    asking.parameters.options = { response: { response: { responseFormat: 'file' } } }
    expect(after(asking, node('Take', 'extractFromFile', 1, { operation: 'xlsx' }))[0]?.as).toBe('xlsx')
  })
})

describe('a node of a service', () => {
  const signed = (type: string, parameters: object) => ({
    ...node('Ask', type, 2, parameters as Record<string, unknown>),
    credentials: { api: { id: '1', name: 'a' } },
  })

  it('has the documents that it names', () => {
    const documentId = { __rl: true, mode: 'list', value: 'd-1', cachedResultName: 'Customers' }
    expect(after(signed('googleSheets', { documentId }))).toMatchObject([
      { service: 'Google Sheets', names: [{ id: 'd-1', name: 'Customers' }] },
    ])
  })

  it('has the columns that it writes, and finds the row that it looks for', () => {
    const columns = {
      mappingMode: 'defineBelow',
      value: { Email: '={{ $json.body.email }}', State: 'open' },
      matchingColumns: ['Email'],
      schema: [{ id: 'Email' }, { id: 'Note' }, { id: 'Gone', removed: true }],
    }
    expect(after(signed('googleSheets', { columns }))).toMatchObject([
      { columns: ['Email', 'State', 'Note'], sought: { Email: null } },
    ])
  })

  it('without a credential asks nobody', () => {
    expect(after(node('Ask', 'slack', 2))).toEqual([])
  })
})

describe('a model', () => {
  const prompt = '=Sort this mail into one of the kinds: {{ $json.body.text }}'

  it('is told by its prompt, and answers with the fields that are parsed of its text', () => {
    const asked = node('Sort', '@chainLlm', 1.5, { text: prompt })
    expect(after(asked, use('JSON.parse($json.text).kind'))).toMatchObject([
      { node: 'Sort', prompt: 'Sort this mail into one of the kinds:', sample: { kind: 'general' } },
    ])
  })

  it('answers as it likes, where nothing is read of its text', () => {
    expect(after(node('Sort', '@chainLlm', 1.5, { text: prompt }), use('1'))).toEqual([])
  })
})

describe('the kind of a file', () => {
  it.each<[string, string, Node]>([
    ['a table is taken out of it', 'csv', node('Next', 'extractFromFile', 1, {})],
    ['its text is taken out of it', 'txt', node('Next', 'extractFromFile', 1, { operation: 'text' })],
    ['it is edited as an image', 'png', node('Next', 'editImage', 1)],
    ['it becomes text', 'mp3', node('Next', '@openAi', 1.8, { resource: 'audio', operation: 'transcribe' })],
    ['nothing says so', 'pdf', node('Next', 'noOp', 1)],
  ])('where %s', (_, kind, next) => {
    const built = workflow('file', [webhook('f'), node('Pass', 'noOp', 1), next], { also: [['Next', 0, 'Pass']] })
    expect(fileKind('Webhook', completed(built, 'file'))).toBe(kind)
  })
})
