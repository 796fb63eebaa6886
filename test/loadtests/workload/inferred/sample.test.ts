import { describe, expect, it } from '@jest/globals'
import { plainSample, sampleFor, sampleOf } from '../../../../loadtests/src/workload/inferred/sample.ts'
import { Shape } from '../../../../loadtests/src/workload/inferred/shape.ts'

const made = (name: string, and: (shape: Shape) => unknown) => {
  const shape = new Shape(name)
  and(shape)
  return shape
}
const sampled = (name: string, and: (shape: Shape) => unknown) => sampleOf(made(name, and))

it.each<[string, unknown]>([
  ['customerEmail', 'ada.lovelace@example.com'],
  ['reply_to', 'ada.lovelace@example.com'],
  ['avatar_url', 'https://www.example.com/image.png'],
  ['website', 'https://www.example.com/page'],
  ['isActive', true],
  ['createdAt', '2026-01-31T09:30:00.000Z'],
  ['first name', 'Ada'],
  ['orderId', '{{counter}}'],
  ['session_id', '{{uuid}}'],
  ['unit_price', 42.5],
  ['wörter', 'sample wrter'],
  ['', 'sample text'],
])('a field with the name %p has the sample %p', (name, sample) => {
  expect(sampleFor(name)).toBe(sample)
})

it('a text without fields to fill in has none', () => {
  expect(plainSample('orderId')).toBe('1')
})

describe('a value is', () => {
  it.each<[string, unknown, (shape: Shape) => unknown]>([
    ['the first constant that it is compared with', 'paid', (one) => one.values.push('paid', 'open')],
    ['a text that has all it is searched for', 'urgent now', (one) => one.parts.push('urgent', 'now')],
    ['a text that begins so', '/start', (one) => ((one.starts = '/start'), one.values.push('/start'))],
    ['a text that ends so', 'sample nick.pdf', (one) => (one.ends = '.pdf')],
    ['above a number', 11, (one) => (one.above = 10)],
    ['below a number', 9, (one) => (one.below = 10)],
    ['nothing', '', (one) => (one.empty = true)],
    ['a list', ['sample nick'], (one) => one.is('list')],
    ['an object', {}, (one) => one.is('object')],
    ['a number', 3, (one) => one.is('number')],
    ['a text with a number', '3', (one) => one.is('number').is('text')],
    ['an address of mail', 'ada.lovelace@example.com', (one) => one.is('email')],
    ['a text within a text', '{"city":"Berlin"}', (one) => one.json().field('city')],
    [
      'an object by names that are known only later',
      { nick: { city: 'Berlin' } },
      (one) => one.is('object').item().field('city'),
    ],
    ['a text of which one letter is read', 'sample nick', (one) => one.is('text').item()],
    ['a list of which the length is read', ['sample nick'], (one) => (one.field('length'), one.item())],
  ])('%s', (_, sample, and) => {
    expect(sampled('nick', and)).toEqual(sample)
  })

  it('a text, where a field alone would become a number', () => {
    expect(sampled('orderId', (one) => one.is('text'))).toBe('1{{counter}}')
  })

  it('an object without the fields that the workflow makes', () => {
    expect(sampled('', (one) => (one.field('city'), (one.field('total').made = true)))).toEqual({ city: 'Berlin' })
  })

  it('no deeper than anyone reads', () => {
    const shape = new Shape('node')
    shape.fields.set('next', shape)
    expect(JSON.stringify(sampleOf(shape)).length).toBeLessThan(200)
  })
})

describe('a pattern that a text has to match', () => {
  const matching = (name: string, pattern: RegExp) => sampled(name, (one) => one.patterns.push(pattern))

  it.each<[RegExp, string]>([
    [/^[A-Z]{2}$/, 'DE'],
    [/^\d{2}\/\d{2}\/\d{4}$/g, '31/01/2026'],
    [/youtube\.com\/watch/, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  ])('%p has one that does', (pattern, sample) => {
    expect(matching('nick', pattern)).toBe(sample)
  })

  it('leaves the usual sample, where that matches', () => {
    expect(matching('city', /^[A-Z]/)).toBe('Berlin')
  })

  it('leaves the usual sample, where nothing is known that matches', () => {
    expect(matching('nick', /^\d{77}$/)).toBe('sample nick')
  })

  it('leaves the usual sample, where looking for it does not come to an end', () => {
    expect(matching('image_base64', /^(\w+)+$/)).toBe(sampleFor('image_base64'))
  })
})
