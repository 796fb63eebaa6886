import { fill, type Request } from '../../../loadtests/scenarios/request.ts'
import { findWorkflow, findWorkflows, type GivenBeside } from '../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

/** Workflows that begin otherwise than by a Webhook node. */

const folder = temporaryFolder()
const location = { file: 'mine.yaml', line: 4 }
const moment = { counter: 7, uuid: 'u-1', now: 0, row: {} }

const found = async (workflow: object, given: GivenBeside = {}) =>
  findWorkflow(await write(folder, 'one.json', workflow), location, given)
const textOf = ({ body }: Request) => (body?.kind === 'text' ? fill(body.text, moment, body.escape) : '')

const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type,
  parameters,
  ...more,
})
const langchain = (name: string, type: string, parameters: object = {}, more: object = {}) =>
  node(name, `@n8n/n8n-nodes-langchain.${type}`, parameters, more)

describe('a form', () => {
  const fields = [
    { fieldLabel: 'Name' },
    { fieldLabel: 'Age', fieldType: 'number' },
    { fieldLabel: 'Size', fieldType: 'dropdown', fieldOptions: { values: [{ option: 'S' }, { option: 'M' }] } },
    { fieldLabel: 'Photo', fieldType: 'file' },
  ]
  const form = {
    id: 'f1',
    name: 'Sign up',
    nodes: [
      node(
        'Form',
        'n8n-nodes-base.formTrigger',
        { formFields: { values: fields } },
        { webhookId: 'f-1', typeVersion: 2.2 },
      ),
    ],
  }

  test('is filled in as a browser does, under the places of its fields', async () => {
    const { requests } = await found(form, { request: { form: { Name: 'Ada {{counter}}', Age: 36 } } })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/form/f-1', onMain: true })
    expect(requests[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(textOf(requests[0]!)).toContain('name="field-0"\r\n\r\nAda 7\r\n')
    expect(textOf(requests[0]!)).toContain('name="field-1"\r\n\r\n36\r\n')
  })

  test('gets samples where nothing is given, and the run says so', async () => {
    const { requests, warnings } = await found(form)
    expect(textOf(requests[0]!)).toContain('name="field-2"\r\n\r\nS\r\n')
    expect(warnings[0]).toContain('the form "Form" gets samples')
  })

  test('of an n8n that runs already gets what its workflow reads', async () => {
    const running = {
      ...form,
      nodes: [...form.nodes, node('Use', 'n8n-nodes-base.set', { value: '={{ $json.Name.toUpperCase() }}' })],
      connections: { Form: { main: [[{ node: 'Use', type: 'main', index: 0 }]] } },
    }
    const { made } = await found(running, { imported: false })
    expect(made).toMatchObject({ requests: [{ webhook: 'Form', form: { Name: 'Ada Lovelace' } }], credentials: [] })
  })

  test('gets the data that is pinned on it', async () => {
    const pinned = {
      ...form,
      pinData: { Form: [{ json: { Name: 'Eve', Age: 3, submittedAt: 'now', formMode: 'test' } }] },
    }
    const { requests, warnings } = await found(pinned)
    expect(textOf(requests[0]!)).toContain('Eve')
    expect(textOf(requests[0]!)).not.toContain('submittedAt')
    expect(warnings).toEqual([])
  })

  test('takes files by the labels of their fields', async () => {
    const photo = await write(folder, 'photo.png', 'pixels')
    const { requests } = await found(form, { request: { files: { Photo: photo } } })
    expect(requests[0]!.body).toMatchObject({ kind: 'multipart', files: [{ field: 'field-3', name: 'photo.png' }] })
  })

  test('refuses a body', async () => {
    const { message } = await refusalOf(() => found(form, { request: { body: { Name: 'Ada' } } }))
    expect(message).toContain('Expected form and files in a request to the form "Form", got something else.')
  })
})

describe('a chat', () => {
  const chat = (parameters: object) => ({
    id: 'c1',
    name: 'Chat',
    nodes: [langchain('When chat', 'chatTrigger', parameters, { webhookId: 'c-1' })],
  })

  test('is told what the request says, by a session of its own', async () => {
    const { requests } = await found(chat({ public: true }), { request: { body: { chatInput: 'Where is my order?' } } })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/webhook/c-1/chat' })
    expect(JSON.parse(textOf(requests[0]!))).toEqual({
      action: 'sendMessage',
      sessionId: 'u-1',
      chatInput: 'Where is my order?',
    })
  })

  test('that is not public gets a Webhook in front', async () => {
    const { requests } = await found(chat({}))
    expect(requests[0]!.path).toMatch(/^\/webhook\/n8n-tuned\//)
  })
})

describe('a server of tools (MCP)', () => {
  const mcp = (typeVersion: number) => ({
    id: 'm1',
    name: 'Tools',
    nodes: [
      langchain('MCP', 'mcpTrigger', { path: 'tools' }, { webhookId: 'm-1', typeVersion }),
      langchain('Look up price', 'toolCode', { jsCode: 'return "1"' }),
    ],
    connections: { 'Look up price': { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
  })

  test('is called by a session, which its first request opens', async () => {
    const { requests, webhook } = await found(mcp(2), { request: { body: { arguments: { item: 'book' } } } })
    expect(requests[0]).toMatchObject({ path: '/mcp/tools', onMain: true, opening: { session: 'mcp-session-id' } })
    expect(JSON.parse(textOf(requests[0]!))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'Look_up_price', arguments: { item: 'book' } },
    })
    expect(webhook).toMatchObject({ idle: true, onMain: true })
  })

  test('of before version 2 is refused', async () => {
    expect((await refusalOf(() => found({ ...mcp(1) }, { imported: false }))).message).toContain(
      'Expected a Webhook, Form, Chat or MCP trigger',
    )
  })
})

describe('a workflow with a schedule', () => {
  const nightly = {
    id: 's1',
    name: 'Nightly',
    nodes: [
      node(
        'Every night',
        'n8n-nodes-base.scheduleTrigger',
        { rule: {} },
        { id: 'a', position: [0, 0], typeVersion: 1.2 },
      ),
      node('Work', 'n8n-nodes-base.noOp'),
    ],
    connections: { 'Every night': { main: [[{ node: 'Work', type: 'main', index: 0 }]] } },
  }

  test('is loaded as a copy with a Webhook in front, which the run says', async () => {
    const { imports, requests, warnings, id } = await found(nightly)
    const [copy] = imports
    expect(id).not.toBe('s1')
    expect(copy!.nodes.map(({ name, type }) => [name, type])).toEqual([
      ['Webhook of the lab', 'n8n-nodes-base.webhook'],
      ['Every night', 'n8n-nodes-base.splitOut'],
      ['Work', 'n8n-nodes-base.noOp'],
    ])
    expect(copy!.connections).toMatchObject({
      'Webhook of the lab': { main: [[{ node: 'Every night' }]] },
      'Every night': { main: [[{ node: 'Work' }]] },
    })
    expect(JSON.parse(textOf(requests[0]!))).toEqual([{ timestamp: '1970-01-01T00:00:00.000Z' }])
    expect(warnings[0]).toContain('Nightly begins by "Every night" (scheduleTrigger)'.replace('Nightly', 'one'))
  })

  test('counts as that where the editor can start it too; a second trigger rests in the copy', async () => {
    const nodes = [
      node('By hand', 'n8n-nodes-base.manualTrigger'),
      ...nightly.nodes,
      node('Mail', 'n8n-nodes-base.emailReadImap'),
    ]
    const { imports } = await found({ ...nightly, nodes })
    const of = (name: string) => imports[0]!.nodes.find((one) => one.name === name)!
    expect(of('Every night').type).toBe('n8n-nodes-base.splitOut')
    expect([of('Mail').disabled, of('By hand').disabled]).toEqual([true, undefined])
    const file = await write(folder, 'both.json', [
      { ...nightly, nodes },
      { ...nightly, id: 's2', name: 'Other' },
    ])
    expect((await findWorkflows(file, location)).map(({ name }) => name)).toEqual(['nightly', 'other'])
  })

  test('hands on the items that are pinned on its trigger', async () => {
    const { requests } = await found({
      ...nightly,
      pinData: { 'Every night': [{ json: { a: 1 } }, { json: { a: 2 } }] },
    })
    expect(JSON.parse(textOf(requests[0]!))).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('hands on the body of a request as an item', async () => {
    const { requests } = await found(nightly, { request: { body: { order: '{{counter}}' } } })
    expect(JSON.parse(textOf(requests[0]!))).toEqual([{ order: 7 }])
  })

  test('is refused on an n8n that the lab does not fill', async () => {
    expect((await refusalOf(() => found(nightly, { imported: false }))).message).toContain(
      'Expected a Webhook, Form, Chat or MCP trigger',
    )
  })
})

describe('among several workflows', () => {
  const one = (name: string, type: string, parameters: object = {}, id = name) => ({
    id,
    name,
    nodes: [node('Start', type, parameters, { typeVersion: 2 })],
  })
  const all = [
    one('hook', 'n8n-nodes-base.webhook', { path: 'hook' }),
    one('mail', 'n8n-nodes-base.emailReadImap'),
    one('sub', 'n8n-nodes-base.executeWorkflowTrigger', { workflowInputs: { values: [{ name: 'order' }] } }),
    one('failed', 'n8n-nodes-base.errorTrigger'),
    one('by-hand', 'n8n-nodes-base.manualTrigger'),
  ]

  test('those count that callers reach or that start by themselves', async () => {
    const file = await write(folder, 'all.json', all)
    expect((await findWorkflows(file, location)).map(({ name }) => name)).toEqual(['hook', 'mail'])
  })

  test('one that others call is loaded where it is named, with its inputs', async () => {
    const file = await write(folder, 'all.json', all)
    const { requests } = await findWorkflow(`${file}#sub`, location)
    expect(JSON.parse(textOf(requests[0]!))).toEqual([{ order: null }])
  })
})
