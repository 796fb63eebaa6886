import { columnsIn, fill, isExpected, wrongIn, type Expectation } from '../../../loadtests/scenarios/request.ts'

const moment = { counter: 7, uuid: 'u-1', now: 1_700_000_000_000, row: { name: 'Jane "J" Doe' } }

test.each([
  ['{{counter}} {{ uuid }}', '7 u-1'],
  ['{{time}}', '2023-11-14T22:13:20.000Z'],
  ['{{timestamp}}', '1700000000000'],
  ['{{row.name}}', 'Jane "J" Doe'],
  ['={{ $json.other }} {{name}}', '={{ $json.other }} {{name}}'],
])('changing fields are filled in, and nothing else: %s', (text, filled) => {
  expect(fill(text, moment, 'none')).toBe(filled)
})

test('what is filled in is written as its place wants it', () => {
  expect(JSON.parse(fill('{"name":"{{row.name}}"}', moment, 'json'))).toEqual({ name: 'Jane "J" Doe' })
  expect(fill('?name={{row.name}}', moment, 'url')).toBe('?name=Jane%20%22J%22%20Doe')
})

test('the columns that a text asks for are known', () => {
  expect(columnsIn('{{row.name}} {{ row.post code }} {{counter}}')).toEqual(['name', 'post code'])
})

const expecting = (given: Partial<Expectation>): Expectation => ({ status: null, json: null, text: null, ...given })

test('any success is expected, or else the statuses that are named', () => {
  expect([200, 204, 302, 404].map((status) => isExpected(status, expecting({})))).toEqual([true, true, false, false])
  expect([200, 404].map((status) => isExpected(status, expecting({ status: [404] })))).toEqual([false, true])
})

describe('an answer', () => {
  const answer = JSON.stringify({ order: 7, items: [{ id: 'a', price: 1 }], 'a b': true, none: null })
  const wrong = (json: object, text = answer) => wrongIn(text, expecting({ json: JSON.stringify(json) }), moment)

  test.each([
    [{ '$.order': 7 }],
    [{ order: 7 }],
    [{ '$.items[0].id': 'a' }],
    [{ 'items.0.price': 1 }],
    [{ "$['a b']": true }],
    [{ none: null }],
    [{ items: [{ id: 'a' }] }],
    [{ $: { order: 7 } }],
  ])('that has what is expected is right: %j', (json) => expect(wrong(json)).toBeNull())

  test.each([
    [{ order: 8 }],
    [{ order: '7' }],
    [{ 'items[1].id': 'a' }],
    [{ items: [] }],
    [{ 'order.id': 1 }],
    [{ missing: null }],
  ])('that has not is wrong: %j', (json) => expect(wrong(json)).toBe('wrong_json'))

  test('that is no JSON is wrong', () => expect(wrong({ order: 7 }, '<html>')).toBe('wrong_json'))

  test('is compared with what this request sent', () => {
    expect(wrongIn(answer, expecting({ json: '{"order":{{counter}}}' }), moment)).toBeNull()
    expect(wrongIn('order u-1', expecting({ text: 'order {{uuid}}' }), moment)).toBeNull()
    expect(wrongIn('order u-2', expecting({ text: 'order {{uuid}}' }), moment)).toBe('wrong_text')
  })
})
