import { describe, expect, it, test } from '@jest/globals'
import { sampleOfSchema, type Schema } from '../../../../../loadtests/src/workload/outside/answers/schema.ts'

const object = (properties: Record<string, Schema>) => sampleOfSchema({ type: 'object', properties })
const text: Schema = { type: 'string' }

describe('a value by a schema', () => {
  test.each<[string, Schema, unknown]>([
    ['the constant', { const: 'v1' }, 'v1'],
    ['the first of a choice', { enum: ['low', 'high'] }, 'low'],
    ['what is no null', { anyOf: [{ type: 'null' }, { enum: ['a'] }] }, 'a'],
    ['no null, of several types', { type: ['null', 'boolean'] }, true],
    ['all parts in one', { allOf: [{ const: { a: 1 } }, { const: { b: 2 } }] as Schema[] }, { a: 1, b: 2 }],
    ['an example', { type: 'string', examples: ['A-17'] }, 'A-17'],
    ['no more than the highest', { type: 'number', maximum: 1 }, 1],
    ['no less than the lowest', { type: 'integer', minimum: 10 }, 10],
    ['as many as are asked for', { type: 'array', items: { const: 1 }, minItems: 2 }, [1, 1]],
    ['a list of one', { type: 'array', items: { const: 1 } }, [1]],
    ['what Gemini writes in capitals', { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } } }, { a: true }],
    ['a moment', { type: 'string', format: 'date-time' }, '2026-01-31T09:30:00.000Z'],
  ])('is %s', (_, schema, value) => expect(sampleOfSchema(schema)).toEqual(value))

  it('has texts and numbers that fit the names of its fields', () => {
    expect(object({ city: text, email: text, price: { type: 'number' }, count: { type: 'integer' } })).toEqual({
      city: 'Berlin',
      email: 'ada.lovelace@example.com',
      price: 42.5,
      count: 3,
    })
  })

  it('follows what is defined elsewhere', () => {
    const person: Schema = { type: 'object', properties: { city: text } }
    expect(sampleOfSchema({ $ref: '#/$defs/person', $defs: { person } })).toEqual({ city: 'Berlin' })
  })

  it('ends where a definition has itself as its part', () => {
    const node: Schema = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
    expect(JSON.stringify(sampleOfSchema({ $ref: '#/$defs/node', $defs: { node } }))).toMatch(/null/)
  })

  it('is true for one of several classes', () => {
    expect(object({ good: { type: 'boolean' }, bad: { type: 'boolean' } })).toEqual({ good: true, bad: false })
  })

  it('takes one of two forms, where n8n’s first parser offers both', () => {
    const forms = { __structured__output__object: { properties: { city: text } }, __structured__output__array: {} }
    expect(object(forms)).toEqual({ __structured__output__object: { city: 'Berlin' } })
  })

  it('is what a description asks for, where the name says nothing', () => {
    expect(object({ input: { type: 'string', description: 'The link of the page' }, query: text })).toMatchObject({
      input: 'https://www.example.com/page',
    })
  })
})
