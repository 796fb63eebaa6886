import { byName } from '../../../lib/json.ts'
import { plainSample, sampleFor } from '../../inferred/sample.ts'

/** The part of JSON Schema that models are given. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema | Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
  definitions?: Record<string, Schema>
  format?: string
  description?: string
  minItems?: number
  minimum?: number
  maximum?: number
}

/** A value that the schema allows, with texts that fit the names of its fields. */
export function sampleOfSchema(schema: Schema, name = '', root: Schema = schema, depth = 0): unknown {
  if (depth > 12) return null
  const inner = (one: Schema, called = name) => sampleOfSchema(one, called, root, depth + 1)
  if (schema.$ref) {
    const key = schema.$ref.split('/').at(-1)!
    const found = root.$defs?.[key] ?? root.definitions?.[key]
    return found ? inner(found) : {}
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice?.length) return inner(choice.find((one) => one.type !== 'null') ?? choice[0]!)
  if (schema.allOf?.length) return Object.assign({}, ...schema.allOf.map((one) => inner(one)))
  switch (
    String([schema.type].flat().find((one) => one !== 'null') ?? (schema.properties ? 'object' : '')).toLowerCase()
  ) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      // The parser of n8n's first kind takes one of two forms.
      const forms = fields.filter(([key]) => key.startsWith('__structured__output__'))
      if (forms.length > 1) {
        const [key, one] =
          forms.find(([, form]) => form.properties && Object.keys(form.properties).length) ?? forms.at(-1)!
        return { [key]: inner(one, key) }
      }
      // Classes of which one is to be chosen.
      if (fields.length > 1 && fields.every(([, one]) => one.type === 'boolean'))
        return Object.fromEntries(fields.map(([key], index) => [key, index === 0]))
      // A tool with one argument describes it in its own words.
      const { description } = fields.length === 1 ? schema : {}
      return Object.fromEntries(
        fields.map(([key, one]) => [key, inner({ ...(description && { description }), ...one }, key)]),
      )
    }
    case 'array': {
      const one = [schema.items].flat()[0]
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => (one ? inner(one) : 'sample'))
    }
    case 'number':
    case 'integer': {
      const fits = sampleFor(name)
      const value = typeof fits === 'number' ? fits : 3
      const whole = schema.type === 'integer' ? Math.round(value) : value
      return Math.min(schema.maximum ?? Infinity, Math.max(schema.minimum ?? -Infinity, whole))
    }
    case 'boolean':
      return true
    case 'null':
      return null
    default: {
      if (schema.examples?.length) return schema.examples[0]
      const usual = byFormat[schema.format ?? '']
      if (usual) return usual
      const named = plainSample(name)
      const isAnyText = named.startsWith('sample ') || /^(input|query|text|value)$/i.test(name)
      const [, described] = isAnyText ? (byWords.find(([words]) => words.test(schema.description ?? '')) ?? []) : []
      return described ?? named
    }
  }
}

const byFormat = byName<string>({
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  email: 'ada.lovelace@example.com',
  uri: 'https://www.example.com/page',
  url: 'https://www.example.com/page',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
})

/** What a description asks for, where the name of a field says nothing. */
const byWords: [words: RegExp, value: string][] = [
  [/\b(url|website|web page|link)s?\b/i, byFormat.uri!],
  [/\be-?mail\b/i, byFormat.email!],
  [/\bdate\b/i, byFormat.date!],
]
