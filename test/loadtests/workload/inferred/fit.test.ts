import { describe, expect, it } from '@jest/globals'
import { fitOf, fitted, laid, withBlanks } from '../../../../loadtests/src/workload/inferred/fit.ts'
import { Shape } from '../../../../loadtests/src/workload/inferred/shape.ts'

const shaped = (and: (shape: Shape) => unknown) => {
  const shape = new Shape()
  and(shape)
  return shape
}

describe('of what a workflow reads of an answer', () => {
  it('nothing fits where it reads nothing', () => {
    expect(fitOf(new Shape())).toBeNull()
  })

  it('all has a sample, and only what it compares or parses must be so', () => {
    const read = shaped((one) => {
      one.field('city')
      one.field('state').values.push('done')
      one.field('count').is('number')
      one.field('raw').json().field('email')
    })
    expect(fitOf(read)).toEqual({
      sample: { city: 'Berlin', state: 'done', count: 3, raw: '{"email":"ada.lovelace@example.com"}' },
      must: { state: 'done', count: 3, raw: '{"email":"ada.lovelace@example.com"}' },
    })
  })

  it('elements must be so within their list', () => {
    const read = shaped((one) => one.field('rows').item().field('state').values.push('open'))
    expect(fitOf(read)?.must).toEqual({ rows: [{ state: 'open' }] })
  })

  it('nothing must be so that the workflow makes itself', () => {
    const read = shaped((one) => {
      one.field('city')
      one.field('state').made = true
      one.field('state').values.push('done')
    })
    expect(fitOf(read)?.must).toBeNull()
  })
})

describe('an answer', () => {
  it('keeps what it has, gets what is missing, and is what it must be', () => {
    const fit = { sample: { city: 'Berlin', state: 'done', more: 1 }, must: { state: 'done' } }
    expect(fitted({ city: 'Paris', state: 'open' }, fit)).toEqual({ city: 'Paris', state: 'done', more: 1 })
  })

  it.each<[string, unknown, unknown, unknown]>([
    [
      'fits in each element',
      [{ a: 1 }, { b: 2 }],
      [{ c: 3 }],
      [
        { a: 1, c: 3 },
        { b: 2, c: 3 },
      ],
    ],
    ['gets the elements of the sample where it has none', [], [{ c: 3 }], [{ c: 3 }]],
    ['stays a list where an object is read', [1], { c: 3 }, [1]],
    ['stays an object where a list is read', { a: 1 }, [{ c: 3 }], { a: 1 }],
    ['is the sample where it is nothing', null, { c: 3 }, { c: 3 }],
    ['is the sample where it is a text and an object is read', 'done', { c: 3 }, { c: 3 }],
  ])('%s', (_, answer, sample, expected) => {
    expect(fitted(answer, { sample, must: null })).toEqual(expected)
  })

  it('of a service fits within its wrapper, and in each of its lists', () => {
    expect(laid({ data: { a: 1 }, rows: [{ b: 2 }], other: { d: 4 } }, { sample: { c: 3 }, must: null })).toEqual({
      c: 3,
      data: { a: 1, c: 3 },
      rows: [{ b: 2, c: 3 }],
      other: { d: 4 },
    })
  })

  it('of a service that is a list fits in each element, or as a whole where a list is read', () => {
    expect(laid([{ a: 1 }], { sample: { c: 3 }, must: null })).toEqual([{ a: 1, c: 3 }])
    expect(laid([{ a: 1 }], { sample: [{ c: 3 }], must: null })).toEqual([{ a: 1, c: 3 }])
  })
})

it('given data has a sample in the place of each empty text that is read', () => {
  const given = { rows: [{ email: '', city: 'Paris', note: '' }], count: 0 }
  expect(withBlanks(given, { rows: [{ email: 'a@example.com', city: 'Berlin' }] })).toEqual({
    rows: [{ email: 'a@example.com', city: 'Paris', note: '' }],
    count: 0,
  })
})
