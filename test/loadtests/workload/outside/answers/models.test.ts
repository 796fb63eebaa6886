import { describe, expect, it, test } from '@jest/globals'
import {
  anthropicMessages,
  cohereChat,
  cohereEmbeddings,
  geminiContent,
  geminiEmbeddings,
  ollama,
  ollamaEmbeddings,
  openAiChat,
  openAiCompletion,
  openAiEmbeddings,
  openAiResponse,
} from '../../../../../loadtests/src/workload/outside/answers/models.ts'
import type { ServiceAnswer } from '../../../../../loadtests/src/workload/outside/answers/asking.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'weather', description: 'The weather', parameters }
const prose = expect.stringContaining('sample answer')
const bodyOf = ({ body }: ServiceAnswer) => body as Record<string, any>
/** What a stream of events says, in the order in which it says it. */
const eventsOf = ({ body }: ServiceAnswer) =>
  [...String(body).matchAll(/^data: (\{.*\})$/gm)].map(([, event]) => JSON.parse(event!) as Record<string, any>)

describe('OpenAI', () => {
  const chat = (body: object) => openAiChat(askingOf('POST /v1/chat/completions', { messages, ...body }), [])
  const chosen = (body: object) => bodyOf(chat(body)).choices[0]

  it('answers a prompt', () => {
    expect(chosen({})).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: prose } })
  })

  it('calls a tool, with its arguments as a text', () => {
    expect(chosen({ tools: [{ type: 'function', function: weather }] })).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Berlin"}' } }] },
    })
  })

  it('calls the tool that it has to, and no other', () => {
    const tools = ['search', 'weather'].map((name) => ({ type: 'function', function: { ...weather, name } }))
    const { message } = chosen({ tools, tool_choice: { type: 'function', function: { name: 'weather' } } })
    expect(message.tool_calls[0].function.name).toBe('weather')
  })

  it('answers once the tool has', () => {
    const called = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'weather' } }] },
      { role: 'tool', content: 'Sunny' },
    ]
    expect(chosen({ messages: called, tools: [{ type: 'function', function: weather }] }).finish_reason).toBe('stop')
  })

  it('answers by a schema', () => {
    const { message } = chosen({ response_format: { type: 'json_schema', json_schema: { schema: parameters } } })
    expect(JSON.parse(message.content)).toEqual({ city: 'Berlin' })
  })

  it('answers with JSON of any form', () => {
    const { message } = chosen({ response_format: { type: 'json_object' } })
    expect(JSON.parse(message.content)).toEqual({ answer: prose })
  })

  it('classifies: of classes that are true or false, one is true', () => {
    const schema = { type: 'object', properties: { good: { type: 'boolean' }, bad: { type: 'boolean' } } }
    const { message } = chosen({ response_format: { type: 'json_schema', json_schema: { schema } } })
    expect(JSON.parse(message.content)).toEqual({ good: true, bad: false })
  })

  it('streams a text in pieces, then why it ended, then what it cost', () => {
    const answer = chat({ stream: true })
    const chunks = eventsOf(answer)
    const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(said).toBe(chosen({}).message.content)
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
    expect(answer.body).toMatch(/data: \[DONE\]\n\n$/)
  })

  it('completes a text, as its first models did', () => {
    const answer = openAiCompletion(askingOf('POST /v1/completions', { prompt: 'Hello' }), [])
    expect(bodyOf(answer).choices).toMatchObject([{ text: prose, finish_reason: 'stop' }])
  })

  describe('by Responses', () => {
    const respond = (body: object) => openAiResponse(askingOf('POST /v1/responses', { input: 'Hello', ...body }), [])

    it('answers a prompt', () => {
      expect(bodyOf(respond({}))).toMatchObject({
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: prose }] }],
      })
    })

    it('calls a tool, and leaves those that run at OpenAI', () => {
      const tools = [{ type: 'web_search' }, { type: 'function', ...weather }]
      expect(bodyOf(respond({ tools })).output).toMatchObject([{ type: 'function_call', name: 'weather' }])
    })

    it('answers by a schema', () => {
      const { output } = bodyOf(respond({ text: { format: { type: 'json_schema', schema: parameters } } }))
      expect(JSON.parse(output[0].content[0].text)).toEqual({ city: 'Berlin' })
    })

    it('streams: begun, a piece, completed', () => {
      expect(eventsOf(respond({ stream: true })).map(({ type }) => type)).toEqual([
        'response.created',
        'response.output_item.added',
        'response.output_text.delta',
        'response.output_item.done',
        'response.completed',
      ])
    })
  })
})

describe('Anthropic', () => {
  const ask = (body: object) => anthropicMessages(askingOf('POST /v1/messages', { messages, ...body }), [])
  const tools = [{ name: 'weather', input_schema: parameters }]

  it('answers a prompt', () => {
    expect(bodyOf(ask({}))).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: prose }] })
  })

  it('calls a tool, with its arguments as an object', () => {
    expect(bodyOf(ask({ tools }))).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'Berlin' } }],
    })
  })

  it('answers once the tool has', () => {
    const called = [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', name: 'weather' }] },
      { role: 'user', content: [{ type: 'tool_result', content: 'Sunny' }] },
    ]
    expect(bodyOf(ask({ tools, messages: called })).stop_reason).toBe('end_turn')
  })

  it('streams a call of a tool: its arguments come as JSON in a text', () => {
    const events = eventsOf(ask({ tools, stream: true }))
    expect(events.find(({ type }) => type === 'content_block_delta')).toMatchObject({
      delta: { type: 'input_json_delta', partial_json: '{"city":"Berlin"}' },
    })
  })
})

describe('Gemini', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  const ask = (body: object = {}, verb = 'generateContent') =>
    geminiContent(askingOf(`POST /v1beta/models/gemini:${verb}`, { contents, ...body }), [])
  const part = (answer: ServiceAnswer) => bodyOf(answer).candidates[0].content.parts[0]

  it('answers a prompt', () => expect(part(ask())).toEqual({ text: prose }))

  it('calls a tool', () => {
    const tools = [{ functionDeclarations: [weather] }]
    expect(part(ask({ tools }))).toEqual({ functionCall: { name: 'weather', args: { city: 'Berlin' } } })
  })

  it('answers by a schema', () => {
    const { text } = part(ask({ generationConfig: { responseSchema: parameters } }))
    expect(JSON.parse(text)).toEqual({ city: 'Berlin' })
  })

  it('streams events, or a list', () => {
    expect(eventsOf(ask({}, 'streamGenerateContent?alt=sse'))).toMatchObject([{ candidates: [expect.anything()] }])
    expect(ask({}, 'streamGenerateContent').body).toMatchObject([{ candidates: [expect.anything()] }])
  })
})

describe('Ollama', () => {
  const ask = (body: object, path = '/api/chat') => ollama(askingOf(`POST ${path}`, body), [])

  it('answers a prompt at once, where it is asked to', () => {
    expect(ask({ messages, stream: false }).body).toMatchObject({ done: true, message: { content: prose } })
  })

  it('else streams a line for each piece', () => {
    const lines = String(ask({ messages }).body).trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { done: boolean }).done)).toEqual([false, true])
  })

  it('completes a text', () => {
    expect(ask({ prompt: 'Hello', stream: false }, '/api/generate').body).toMatchObject({ response: prose })
  })

  it('calls a tool', () => {
    const { message } = bodyOf(ask({ messages, tools: [{ function: weather }], stream: false }))
    expect(message.tool_calls).toEqual([{ function: { name: 'weather', arguments: { city: 'Berlin' } } }])
  })

  it('answers by a schema', () => {
    const { message } = bodyOf(ask({ messages, format: parameters, stream: false }))
    expect(JSON.parse(message.content)).toEqual({ city: 'Berlin' })
  })
})

describe('Cohere', () => {
  const ask = (body: object) => cohereChat(askingOf('POST /v2/chat', body), [])

  it('answers a prompt, in the form of either version', () => {
    expect(bodyOf(ask({ message: 'Hello' })).text).toEqual(prose)
    expect(bodyOf(ask({ messages })).message).toEqual({ role: 'assistant', content: [{ type: 'text', text: prose }] })
  })

  it('streams a text in pieces', () => {
    const events = eventsOf(ask({ messages, stream: true }))
    const said = events.filter(({ type }) => type === 'content-delta').map(({ delta }) => delta.message.content.text)
    expect(said.join('')).toEqual(prose)
    expect(events.at(-1)).toMatchObject({ type: 'message-end', delta: { finish_reason: 'COMPLETE' } })
  })
})

describe('vectors', () => {
  const texts = ['one', 'two']
  const lengths = (vectors: number[][]) => vectors.map(({ length }) => length)

  test.each([
    ['text-embedding-3-small', {}, 1536],
    ['text-embedding-3-large', {}, 3072],
    ['text-embedding-3-large', { dimensions: 256 }, 256],
  ])('of OpenAI’s %s with %j have %d numbers, and there is one for each text', (model, more, length) => {
    const { data } = bodyOf(openAiEmbeddings(askingOf('POST /v1/embeddings', { input: texts, model, ...more })))
    expect(lengths(data.map(({ embedding }: { embedding: number[] }) => embedding))).toEqual([length, length])
  })

  it('are Base64 of floats where that is asked for', () => {
    const asking = askingOf('POST /v1/embeddings', { input: 'one', dimensions: 4, encoding_format: 'base64' })
    const bytes = Buffer.from(bodyOf(openAiEmbeddings(asking)).data[0].embedding, 'base64')
    const floats = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index))
    expect(Math.hypot(...floats)).toBeCloseTo(1)
  })

  it('of Gemini come alone or in a batch', () => {
    const one = geminiEmbeddings(askingOf('POST /v1beta/models/m:embedContent'))
    const all = geminiEmbeddings(askingOf('POST /v1beta/models/m:batchEmbedContents', { requests: texts }))
    expect(lengths([bodyOf(one).embedding.values])).toEqual([768])
    expect(lengths(bodyOf(all).embeddings.map(({ values }: { values: number[] }) => values))).toEqual([768, 768])
  })

  it('of Ollama come alone from its old address, for each text from its new one', () => {
    expect(lengths([bodyOf(ollamaEmbeddings(askingOf('POST /api/embeddings'))).embedding])).toEqual([768])
    expect(lengths(bodyOf(ollamaEmbeddings(askingOf('POST /api/embed', { input: texts }))).embeddings)).toEqual([
      768, 768,
    ])
  })

  it('of Cohere are a list, or a list by each type', () => {
    const ask = (more: object) => bodyOf(cohereEmbeddings(askingOf('POST /v1/embed', { texts, ...more })))
    expect(lengths(ask({}).embeddings)).toEqual([1024, 1024])
    expect(lengths(ask({ embedding_types: ['float'] }).embeddings.float)).toEqual([1024, 1024])
  })
})
