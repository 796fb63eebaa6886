import type { Area, Case } from '../case.ts'
import type { Client } from '../client.ts'
import { chain, connect, node, set, workflow, webhook } from '../workflow.ts'

const langchain = (name: string, type: string, version: number, parameters: object, more: object = {}) =>
  node(name, `@n8n/n8n-nodes-langchain.${type}`, version, parameters, more)

const chat = (id: string) => langchain('Chat', 'chatTrigger', 1.1, { public: true, options: {} }, { webhookId: id })
const says = (n8n: Client, id: string, chatInput: string) =>
  n8n.ask(`/webhook/${id}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'sendMessage', sessionId: 'session', chatInput }),
  })

const model = langchain(
  'Model',
  'lmChatOpenAi',
  1.2,
  { model: { __rl: true, mode: 'id', value: 'mock' }, options: {} },
  { credentials: { openAiApi: { id: 'openai', name: 'openai' } } },
)
const tool = langchain('times', 'toolCode', 1.1, {
  name: 'times',
  description: 'multiplies',
  language: 'javaScript',
  jsCode: 'return String(6 * 7)',
})
const memory = langchain('Memory', 'memoryBufferWindow', 1.3, { sessionIdType: 'customKey', sessionKey: 'one' })

const agent = () => {
  const [start, thinks] = [
    webhook('tr-agent', { httpMethod: 'POST' }),
    langchain('Agent', 'agent', 2, { promptType: 'define', text: '={{ $json.body.question }}', options: {} }),
  ]
  return workflow(
    'tr-agent',
    [start, thinks, model, tool, memory],
    [
      connect(start, [[thinks]]),
      connect(model, [[thinks]], 'ai_languageModel'),
      connect(tool, [[thinks]], 'ai_tool'),
      connect(memory, [[thinks]], 'ai_memory'),
    ],
  )
}

const question = chain('tr-chain', [
  webhook('tr-chain', { httpMethod: 'POST' }),
  langchain('Ask', 'chainLlm', 1.5, { promptType: 'define', text: '={{ $json.body.question }}' }),
])
const asksModel = {
  ...question,
  nodes: [...question.nodes, { id: 'tr-chain-model', position: [0, 200], ...model }],
  connections: { ...question.connections, ...connect(model, [[question.nodes[1]!]], 'ai_languageModel') },
}

const mcp = () => {
  const [start, offered] = [langchain('MCP', 'mcpTrigger', 2, { path: 'tr-mcp' }, { webhookId: 'tr-mcp' }), tool]
  return workflow('tr-mcp', [start, offered], [connect(offered, [[start]], 'ai_tool')])
}

/** What a client of MCP sends, each with the session that the first was given. */
async function talk(n8n: Client): Promise<void> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = (message: object, more: object = {}) =>
    n8n.ask('/mcp/tr-mcp', {
      main: true,
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...more,
    })
  const started = await send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  headers['mcp-session-id'] = started.headers['mcp-session-id']!
  await send({ method: 'notifications/initialized' })
  await send({ id: 2, method: 'tools/list' })
  await send({ id: 3, method: 'tools/call', params: { name: 'times', arguments: { input: 'six by seven' } } })
}

const asked = JSON.stringify({ question: 'What is six by seven?' })
const posts =
  (path: string): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: asked,
    }))

const form = (id: string, parameters: object = {}) =>
  node(
    'Form',
    'formTrigger',
    2.2,
    {
      formTitle: 'Tell',
      formDescription: 'about it',
      formFields: {
        values: [
          { fieldLabel: 'Name', requiredField: true },
          { fieldLabel: 'Age', fieldType: 'number' },
          { fieldLabel: 'Kind', fieldType: 'dropdown', fieldOptions: { values: [{ option: 'a' }, { option: 'b' }] } },
        ],
      },
      options: { path: id },
      ...parameters,
    },
    { webhookId: id },
  )

const fills =
  (path: string): Case['act'] =>
  async (n8n) => {
    await n8n.ask(`/form/${path}`, { main: true })
    const filled = new FormData()
    for (const [index, value] of ['Ada', '36', 'b'].entries()) filled.set(`field-${index}`, value)
    await n8n.ask(`/form/${path}`, { main: true, method: 'POST', body: filled })
  }

const cases: Case[] = [
  {
    name: 'a form',
    workflows: [chain('tr-form', [form('tr-form'), set({ who: '={{ $json.Name }}' })])],
    act: fills('tr-form'),
  },
  {
    name: 'a form that waits for its workflow',
    workflows: [
      chain('tr-form-last', [form('tr-form-last', { responseMode: 'lastNode' }), set({ who: '={{ $json.Name }}' })]),
    ],
    act: fills('tr-form-last'),
  },
  {
    name: 'a chat',
    workflows: [chain('tr-chat', [chat('tr-chat'), set({ output: '=You said {{ $json.chatInput }}' })])],
    act: async (n8n) => void (await says(n8n, 'tr-chat', 'hello')),
  },
  {
    name: 'the page of a chat',
    workflows: [chain('tr-page', [chat('tr-page'), set({ output: 'never' })])],
    act: async (n8n) => void (await n8n.ask('/webhook/tr-page/chat')),
    ends: [],
  },
  { name: 'an agent with a tool and a memory', workflows: [agent()], act: posts('tr-agent') },
  { name: 'a question to a model', workflows: [asksModel], act: posts('tr-chain') },
  { name: 'tools by MCP', workflows: [mcp()], act: talk },
]

const credentials = [
  {
    id: 'openai',
    name: 'openai',
    type: 'openAiApi',
    data: { apiKey: 'none', url: 'http://outside/v1', headerName: '', headerValue: '' },
  },
]

export const triggers: Area = { name: 'triggers', cases, credentials }
