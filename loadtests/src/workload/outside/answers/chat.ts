import { fitted } from '../../inferred/fit.ts'
import type { Hint } from '../../../model/outside.ts'
import { sampleOfSchema, type Schema } from './schema.ts'

/** A conversation with a model, whatever the service calls its parts. */
export interface Conversation {
  turns: { role: 'system' | 'user' | 'assistant' | 'tool'; text: string; calls?: string[] }[]
  tools: Tool[]
  /** A tool that it has to call. */
  forced?: string | null
  /** What the answer has to conform to. */
  schema?: Schema | null
  /** It asks for JSON, of any form. */
  json?: boolean
}

export interface Tool {
  name: string
  description?: string
  schema: Schema
}

export type Reply = { kind: 'text'; text: string } | { kind: 'call'; name: string; arguments: unknown }

/** The tool by which n8n's agents hand on an answer that has to conform to a schema. */
const final = /^format_final_json_response$/

/**
 * What a model would answer, in form: it calls a tool once where it has one, then answers by the schema or the format
 * that the prompt asks for.
 */
export function reply({ turns, tools, forced, schema, json }: Conversation, hints: Hint[]): Reply {
  const since = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1)
  const called = since.flatMap(({ calls = [] }) => calls)
  const due =
    tools.find(({ name }) => name === forced)
    ?? (called.length === 0 ? tools.find(({ name }) => !final.test(name)) : undefined)
    ?? tools.find(({ name }) => final.test(name) && !called.includes(name))
  if (due) return { kind: 'call', name: due.name, arguments: argumentsOf(due) }
  if (schema) return { kind: 'text', text: JSON.stringify(sampleOfSchema(schema)) }
  return { kind: 'text', text: textFor(turns.map(({ text }) => text).join('\n'), json ?? false, hints) }
}

const argumentsOf = ({ description, schema }: Tool) =>
  sampleOfSchema({ ...(description && { description }), ...schema })

function textFor(prompt: string, json: boolean, hints: Hint[]): string {
  const given = schemaIn(prompt)
  const hint = hintFor(prompt, hints)
  if (given) {
    const sample = sampleOfSchema(given)
    const fits = hint && typeof hint.sample === 'object' ? fitted(sample, hint) : sample
    return `\`\`\`json\n${JSON.stringify(fits, null, 2)}\n\`\`\``
  }
  const listed = listIn(prompt)
  if (listed !== null) return listed
  // Agents that were made before models could call tools.
  if (/"action":\s*"Final Answer"|action_input/.test(prompt))
    return `\`\`\`json\n${JSON.stringify({ action: 'Final Answer', action_input: prose })}\n\`\`\``
  if (/^Thought:/m.test(prompt) && /Final Answer:/.test(prompt))
    return `I now know the final answer.\nFinal Answer: ${prose}`
  if (hint) {
    const { sample } = hint
    if (typeof sample === 'string') return plain(sample)
    return plain(JSON.stringify(sample))
  }
  if (!json && !/json/i.test(prompt)) return prose
  return JSON.stringify(exampleIn(prompt) ?? { answer: prose })
}

const prose =
  'This is a sample answer of the mock. It has a few sentences, as the answer of a model would have. '
  + 'It says nothing about the question.'

/** The list that n8n's parser of items asks for; null where it asks for none. */
function listIn(prompt: string): string | null {
  const [, count, separator] =
    /should be a list of (\d+ )?items separated by "([\s\S]*?)" \(for example/.exec(prompt) ?? []
  if (separator === undefined) return null
  return Array.from({ length: Number(count ?? 3) }, (_, index) => `A sample item ${index + 1}`).join(separator || '\n')
}

const plain = (text: string) => text.replace(/\{\{(counter|timestamp)\}\}/g, '1').replace(/\{\{[^}]*\}\}/g, 'sample')

/** Of the node whose prompt this is: that with the longest part in common. */
function hintFor(prompt: string, hints: Hint[]): Hint | undefined {
  const text = squeezed(prompt)
  return hints
    .filter(({ prompt: part }) => part !== undefined && text.includes(squeezed(part)))
    .sort((a, b) => b.prompt!.length - a.prompt!.length)[0]
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ')

/** The schema that a parser of n8n writes into its instructions: the last in the text. */
function schemaIn(prompt: string): Schema | null {
  if (!/json schema/i.test(prompt)) return null
  return (
    objectsIn(prompt)
      .filter((one): one is Schema => isSchema(one))
      .at(-1) ?? null
  )
}

const isSchema = (one: unknown) => {
  const { type, properties } = one as Schema
  return type === 'object' && typeof properties === 'object' && !properties.foo
}

/** The example of the answer that the prompt shows: the last object, or list, in it. */
function exampleIn(prompt: string): unknown {
  const found = objectsIn(prompt).at(-1)
  if (found !== undefined) return found
  // An example with comments or dots is no JSON: its names are all that can be told.
  const names = [...prompt.matchAll(/["'`*]([A-Za-z_][\w ]{0,40})["'`]\s*:/g)].map(([, name]) => name!)
  return names.length
    ? sampleOfSchema({
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      })
    : undefined
}

/** The outermost objects and lists in a text that are JSON. */
export function objectsIn(text: string): object[] {
  const found: object[] = []
  for (let from = 0; from < text.length; from++) {
    const open = text[from]
    if (open !== '{' && open !== '[') continue
    const to = endOf(text, from)
    if (to < 0) continue
    try {
      const value: unknown = JSON.parse(text.slice(from, to + 1))
      if (typeof value === 'object' && value !== null && Object.keys(value).length) {
        found.push(value)
        from = to
      }
    } catch {
      // Not JSON: what it contains may be.
    }
  }
  return found
}

/** Where the bracket at a place closes; -1 if it does not. */
function endOf(text: string, from: number): number {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (--depth === 0) return at
    }
  }
  return -1
}
