import { reply, type Conversation, type Reply, type Tool } from './chat.ts'
import type { ServiceAnswer, Asking } from './asking.ts'
import type { Hint } from '../../../model/outside.ts'
import type { Schema } from './schema.ts'

/** The wire formats in which services of models are asked: each turns a request into a conversation, and back. */

type Body = Record<string, any>

const textIn = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === null || content === undefined ? '' : JSON.stringify(content)
  return content.map((part: Body) => part.text ?? part.content ?? '').join('\n')
}

const tokens = (text: string) => Math.max(1, Math.round(text.length / 4))

const events = (all: unknown[], end = 'data: [DONE]\n\n'): ServiceAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + end,
})

/** What a model is told of a tool, whatever the service calls its parts. */
const toolOf = ({ name, description, parameters, parametersJsonSchema, input_schema: schema }: Body): Tool => ({
  name,
  description,
  schema: parameters ?? parametersJsonSchema ?? schema ?? {},
})

/** OpenAI's chat completions, which most other services speak too. */
export function openAiChat({ body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const {
    messages = [],
    tools = [],
    functions = [],
    tool_choice: choice,
    response_format: format,
    model = 'mock',
    stream,
  } = body as Body
  const conversation: Conversation = {
    turns: messages.map(({ role, content, tool_calls: calls }: Body) => ({
      role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
      text: textIn(content),
      calls: calls?.map((one: Body) => one.function?.name),
    })),
    tools: [...tools.map((one: Body) => one.function ?? one), ...functions].map(toolOf),
    forced: choice?.function?.name ?? (choice === 'required' ? tools[0]?.function?.name : null),
    schema: format?.json_schema?.schema ?? null,
    json: format?.type === 'json_object',
  }
  const answer = reply(conversation, hints)
  const id = `chatcmpl-mock${counter}`
  const made = { id, created: Math.floor(Date.now() / 1000), model, system_fingerprint: 'fp_mock' }
  const spent = textOf(answer)
  const usage = {
    prompt_tokens: tokens(JSON.stringify(messages)),
    completion_tokens: tokens(spent),
    total_tokens: tokens(JSON.stringify(messages)) + tokens(spent),
  }
  const message =
    answer.kind === 'text'
      ? { role: 'assistant', content: answer.text, refusal: null }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: `call_mock${counter}`,
              type: 'function',
              function: { name: answer.name, arguments: JSON.stringify(answer.arguments) },
            },
          ],
        }
  const reason = answer.kind === 'text' ? 'stop' : 'tool_calls'
  if (!stream)
    return {
      body: {
        ...made,
        object: 'chat.completion',
        choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
        usage,
      },
    }
  const chunk = (delta: object, finish: string | null = null) => ({
    ...made,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return events([
    ...(answer.kind === 'text'
      ? [chunk({ role: 'assistant', content: '' }), ...piecesOf(answer.text).map((content) => chunk({ content }))]
      : [chunk(message)]),
    chunk({}, reason),
    { ...made, object: 'chat.completion.chunk', choices: [], usage },
  ])
}

const textOf = (answer: Reply) => (answer.kind === 'text' ? answer.text : JSON.stringify(answer.arguments))
const piecesOf = (text: string) => text.match(/[\s\S]{1,24}/g) ?? []

/** OpenAI's older completions. */
export function openAiCompletion({ body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const { prompt, model = 'mock' } = body as Body
  const answer = reply({ turns: [{ role: 'user', text: textIn(prompt) }], tools: [] }, hints)
  return {
    body: {
      id: `cmpl-mock${counter}`,
      object: 'text_completion',
      created: Math.floor(Date.now() / 1000),
      model,
      choices: [{ text: textOf(answer), index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 50, completion_tokens: 30, total_tokens: 80 },
    },
  }
}

/** OpenAI's Responses, which newer nodes use. */
export function openAiResponse({ body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const { input = [], instructions, tools = [], text: asked, model = 'mock', stream } = body as Body
  const items: Body[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const answer = reply(
    {
      turns: [
        ...(instructions ? [{ role: 'system' as const, text: String(instructions) }] : []),
        ...items.map((one) =>
          one.type === 'function_call'
            ? { role: 'assistant' as const, text: '', calls: [String(one.name)] }
            : one.type === 'function_call_output'
              ? { role: 'tool' as const, text: textIn(one.output) }
              : { role: one.role === 'developer' ? 'system' : one.role, text: textIn(one.content) },
        ),
      ],
      tools: tools.filter(({ type }: Body) => type === 'function').map(toolOf),
      schema: asked?.format?.schema ?? null,
      json: asked?.format?.type === 'json_object',
    },
    hints,
  )
  const output =
    answer.kind === 'text'
      ? {
          type: 'message',
          id: `msg_mock${counter}`,
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: answer.text, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_mock${counter}`,
          call_id: `call_mock${counter}`,
          name: answer.name,
          arguments: JSON.stringify(answer.arguments),
          status: 'completed',
        }
  const response = {
    id: `resp_mock${counter}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output: [output],
    output_text: answer.kind === 'text' ? answer.text : '',
    parallel_tool_calls: true,
    tools: [],
    usage: {
      input_tokens: 50,
      output_tokens: 30,
      total_tokens: 80,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
  if (!stream) return { body: response }
  const text = answer.kind === 'text' ? answer.text : ''
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...output, content: [] } },
      ...(text
        ? [{ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: output.id, delta: text }]
        : []),
      { type: 'response.output_item.done', output_index: 0, item: output },
      { type: 'response.completed', response },
    ]
      .map((one, index) => `event: ${one.type}\ndata: ${JSON.stringify({ ...one, sequence_number: index })}\n\n`)
      .join(''),
  }
}

/** A vector as models give it: the same numbers each time, of length one. */
function vectorOf(length: number): number[] {
  const raw = Array.from({ length }, (_, index) => Math.sin(index * 12.9898) * 0.5)
  const norm = Math.hypot(...raw)
  return raw.map((one) => Math.round((one / norm) * 1e6) / 1e6)
}
const vectors = new Map<number, { list: number[]; base64: string }>()
function vector(length: number): { list: number[]; base64: string } {
  const known = vectors.get(length)
  if (known) return known
  const list = vectorOf(length)
  const made = { list, base64: Buffer.from(new Float32Array(list).buffer).toString('base64') }
  vectors.set(length, made)
  return made
}

export function openAiEmbeddings({ body }: Asking): ServiceAnswer {
  const { input = '', model = '', dimensions, encoding_format: format } = body as Body
  const length = dimensions ?? (/3-large/.test(model) ? 3072 : /mistral/.test(model) ? 1024 : 1536)
  const own = vector(length)
  const embedding = format === 'base64' ? own.base64 : own.list
  return {
    body: {
      object: 'list',
      data: [input].flat().map((_, index) => ({ object: 'embedding', index, embedding })),
      model,
      usage: { prompt_tokens: 8, total_tokens: 8 },
    },
  }
}

export function anthropicMessages({ body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const { messages = [], system, tools = [], tool_choice: choice, model = 'mock', stream } = body as Body
  const answer = reply(
    {
      turns: [
        ...(system ? [{ role: 'system' as const, text: textIn(system) }] : []),
        ...messages.map(({ role, content }: Body) => {
          const parts: Body[] = Array.isArray(content) ? content : []
          const isResult = parts.some(({ type }) => type === 'tool_result')
          return {
            role: isResult ? 'tool' : role,
            text: textIn(content),
            calls: parts.filter(({ type }) => type === 'tool_use').map(({ name }) => name),
          }
        }),
      ],
      tools: tools.map(toolOf),
      forced: choice?.name ?? null,
    },
    hints,
  )
  const content =
    answer.kind === 'text'
      ? { type: 'text', text: answer.text }
      : { type: 'tool_use', id: `toolu_mock${counter}`, name: answer.name, input: answer.arguments }
  const message = {
    id: `msg_mock${counter}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [content],
    stop_reason: answer.kind === 'text' ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 50, output_tokens: 30 },
  }
  if (!stream) return { body: message }
  const empty = answer.kind === 'text' ? { type: 'text', text: '' } : { ...content, input: {} }
  const delta =
    answer.kind === 'text'
      ? { type: 'text_delta', text: answer.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(answer.arguments) }
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: 30 },
      },
      { type: 'message_stop' },
    ]
      .map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
      .join(''),
  }
}

/** Google's generateContent, at once or in a stream. */
export function geminiContent({ body, path, query }: Asking, hints: Hint[]): ServiceAnswer {
  const { contents = [], systemInstruction, tools = [], generationConfig: config = {} } = body as Body
  const declared: Body[] = tools.flatMap((one: Body) => one.functionDeclarations ?? one.function_declarations ?? [])
  const turns = [contents].flat().map(({ role, parts = [] }: Body) => {
    const all: Body[] = [parts].flat()
    return {
      role: all.some((part) => part.functionResponse)
        ? ('tool' as const)
        : role === 'model'
          ? ('assistant' as const)
          : ('user' as const),
      text: all.map((part) => part.text ?? '').join('\n'),
      calls: all.flatMap((part) => part.functionCall?.name ?? []),
    }
  })
  const answer = reply(
    {
      turns: [
        ...(systemInstruction ? [{ role: 'system' as const, text: textIn([systemInstruction.parts].flat()) }] : []),
        ...turns,
      ],
      tools: declared.map(toolOf),
      schema: (config.responseSchema ?? config.responseJsonSchema ?? null) as Schema | null,
      json: config.responseMimeType === 'application/json',
    },
    hints,
  )
  const part =
    answer.kind === 'text' ? { text: answer.text } : { functionCall: { name: answer.name, args: answer.arguments } }
  const result = {
    candidates: [{ content: { parts: [part], role: 'model' }, finishReason: 'STOP', index: 0, safetyRatings: [] }],
    usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 30, totalTokenCount: 80 },
    modelVersion: 'mock',
  }
  if (!path.includes('stream')) return { body: result }
  return query.get('alt') === 'sse' ? events([result], '') : { body: [result] }
}

export function geminiEmbeddings({ body, path }: Asking): ServiceAnswer {
  const { list } = vector(768)
  if (path.includes('batch'))
    return { body: { embeddings: ((body as Body).requests ?? []).map(() => ({ values: list })) } }
  return { body: { embedding: { values: list } } }
}

export function ollama({ body, path }: Asking, hints: Hint[]): ServiceAnswer {
  const { messages = [], prompt, system, tools = [], format, model = 'mock', stream = true } = body as Body
  const turns =
    prompt === undefined
      ? messages
      : [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ]
  const answer = reply(
    {
      turns: turns.map(({ role, content, tool_calls: calls }: Body) => ({
        role,
        text: textIn(content),
        calls: calls?.map((one: Body) => one.function?.name),
      })),
      tools: tools.map((one: Body) => toolOf(one.function ?? {})),
      schema: typeof format === 'object' ? format : null,
      json: format === 'json',
    },
    hints,
  )
  const made = { model, created_at: new Date().toISOString() }
  const end = {
    done: true,
    done_reason: 'stop',
    total_duration: 1e9,
    load_duration: 1e6,
    prompt_eval_count: 50,
    prompt_eval_duration: 1e8,
    eval_count: 30,
    eval_duration: 9e8,
  }
  const said = path.endsWith('/generate')
    ? { response: textOf(answer) }
    : {
        message:
          answer.kind === 'text'
            ? { role: 'assistant', content: answer.text }
            : {
                role: 'assistant',
                content: '',
                tool_calls: [{ function: { name: answer.name, arguments: answer.arguments } }],
              },
      }
  if (!stream) return { body: { ...made, ...said, ...end } }
  const last = path.endsWith('/generate') ? { response: '' } : { message: { role: 'assistant', content: '' } }
  return {
    headers: { 'content-type': 'application/x-ndjson' },
    body: [
      { ...made, ...said, done: false },
      { ...made, ...last, ...end },
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  }
}

export function ollamaEmbeddings({ body, path }: Asking): ServiceAnswer {
  const { input = '' } = body as Body
  const { list } = vector(768)
  return {
    body: path.endsWith('/embed') ? { model: 'mock', embeddings: [input].flat().map(() => list) } : { embedding: list },
  }
}

/** Cohere's chat, in its second form. */
export function cohereChat({ body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const { messages = [], message, stream } = body as Body
  const turns = [...messages, ...(message ? [{ role: 'user', content: message }] : [])]
  const answer = reply(
    { turns: turns.map(({ role, content }: Body) => ({ role, text: textIn(content) })), tools: [] },
    hints,
  )
  const text = textOf(answer)
  const usage = { tokens: { input_tokens: 50, output_tokens: 30 } }
  if (stream)
    return events([
      { type: 'message-start', id: `mock${counter}`, delta: { message: { role: 'assistant', content: [] } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      ...piecesOf(text).map((piece) => ({
        ...{ type: 'content-delta', index: 0, delta: { message: { content: { text: piece } } } },
      })),
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } },
    ])
  return {
    body: {
      id: `mock${counter}`,
      text,
      generation_id: `mock${counter}`,
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      meta: usage,
      usage,
    },
  }
}

/** Cohere's vectors: a list, or one by each type that is asked for. */
export function cohereEmbeddings({ body, counter }: Asking): ServiceAnswer {
  const { texts = [], model = '', embedding_types: types } = body as Body
  const all = texts.map(() => vector(/light/.test(model) ? 384 : 1024).list)
  return {
    body: {
      id: `mock${counter}`,
      texts,
      response_type: types ? 'embeddings_by_type' : 'embeddings_floats',
      embeddings: types ? { float: all } : all,
    },
  }
}
