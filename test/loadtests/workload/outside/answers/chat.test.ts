import { describe, expect, it } from '@jest/globals'
import { reply, type Conversation } from '../../../../../loadtests/src/workload/outside/answers/chat.ts'

const user = (text: string): Conversation['turns'][number] => ({ role: 'user', text })
const tool = (name: string) => ({ name, schema: { type: 'object', properties: { query: { type: 'string' } } } })
const answerTo = (conversation: Partial<Conversation>, hints: Parameters<typeof reply>[1] = []) =>
  reply({ turns: [user('Hello')], tools: [], ...conversation }, hints)

describe('a model of the mock', () => {
  it('calls a tool once, and then answers', () => {
    const tools = [tool('search')]
    expect(answerTo({ tools })).toMatchObject({
      kind: 'call',
      name: 'search',
      arguments: { query: expect.any(String) },
    })
    const called: Conversation['turns'] = [
      user('Hello'),
      { role: 'assistant', text: '', calls: ['search'] },
      { role: 'tool', text: '12' },
    ]
    expect(answerTo({ tools, turns: called })).toMatchObject({ kind: 'text' })
  })

  it('calls a tool with what its description asks for', () => {
    const schema = { type: 'object', properties: { input: { type: 'string' } } }
    const page = { name: 'page_retrieval', description: 'Returns a page. The query is the full website URL.', schema }
    expect(answerTo({ tools: [page] })).toMatchObject({ arguments: { input: 'https://www.example.com/page' } })
  })

  it('tells a day from a moment', () => {
    const schema = {
      type: 'object',
      properties: { day: { type: 'string', format: 'date' }, at: { type: 'string', format: 'date-time' } },
    }
    const { text } = answerTo({ schema }) as { text: string }
    expect(JSON.parse(text)).toEqual({ day: '2026-01-31', at: '2026-01-31T09:30:00.000Z' })
  })

  it('hands on its answer by the tool for that, where an agent has to conform to a schema', () => {
    const tools = [tool('format_final_json_response')]
    expect(answerTo({ tools })).toMatchObject({ kind: 'call', name: 'format_final_json_response' })
  })

  it('conforms to a schema of the request', () => {
    const schema = { type: 'object', properties: { kind: { enum: ['a', 'b'] }, score: { type: 'integer' } } }
    const answer = answerTo({ schema })
    expect(JSON.parse((answer as { text: string }).text)).toEqual({ kind: 'a', score: 3 })
  })

  it('conforms to the schema that a parser wrote into the prompt', () => {
    const prompt = 'conforms to the JSON Schema: {"type":"object","properties":{"urgent":{"type":"boolean"}}}'
    expect((answerTo({ turns: [user(prompt)] }) as { text: string }).text).toContain('"urgent": true')
  })

  it('says what the code after it reads', () => {
    const hints = [{ node: 'Chain', prompt: 'Extract the invoice', sample: { number: 7 }, must: null }]
    expect(answerTo({ turns: [user('Extract  the\ninvoice of …')] }, hints)).toEqual({
      kind: 'text',
      text: '{"number":7}',
    })
  })

  it('gives a list of as many items as a parser asks for', () => {
    const prompt = 'Your response should be a list of 2 items separated by "; " (for example: "item1; item2")'
    expect(answerTo({ turns: [user(prompt)] })).toEqual({ kind: 'text', text: 'A sample item 1; A sample item 2' })
  })

  it('repeats the example of a prompt that asks for JSON', () => {
    const answer = answerTo({ turns: [user('Answer as JSON: {"title": "…", "tags": []}')] })
    expect(JSON.parse((answer as { text: string }).text)).toEqual({ title: '…', tags: [] })
  })

  it('ends an agent that was made before models could call tools', () => {
    const answer = answerTo({ turns: [user('{"action": "Final Answer", "action_input": "…"}')] })
    expect((answer as { text: string }).text).toContain('"Final Answer"')
  })
})
