import { describe, expect, it, test } from '@jest/globals'
import type { Hint } from '../../../../../loadtests/src/model/outside.ts'
import { guess } from '../../../../../loadtests/src/workload/outside/answers/guess.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

const reads = (sample: unknown, more: object = {}): Hint => ({ node: 'Ask', sample, must: null, ...more })
const guessed = (call: string, hint?: Hint, body?: unknown) => guess(askingOf(call, body), hint)
const type = (call: string, hint?: Hint) => guessed(call, hint).headers?.['content-type']

describe('an answer that no file knows has', () => {
  it('what later nodes read', () => {
    expect(guessed('GET /orders/1', reads({ order: { sum: 7 } })).body).toMatchObject({ order: { sum: 7 } })
  })

  it('what conditions of later nodes ask for', () => {
    const hint = reads({ state: 'any' }, { must: { state: 'paid' } })
    expect(guessed('GET /orders/1', hint).body).toMatchObject({ state: 'paid' })
  })

  it('the form of a list, where later nodes read one', () => {
    expect(guessed('GET /orders', reads([{ sum: 7 }])).body).toEqual([{ sum: 7 }])
  })

  it('what was sent, since most services give that back', () => {
    expect(guessed('POST /orders', undefined, { sku: 'A-17' }).body).toMatchObject({ sku: 'A-17', success: true })
  })

  it('what says that it is done, so that no workflow asks again and again', () => {
    expect(guessed('GET /v1/jobs/1').body).toMatchObject({ status: 'completed' })
  })

  it('no body, where none is asked for', () => expect(guessed('HEAD /orders')).toEqual({ status: 200 }))
})

describe('an answer that no file knows is', () => {
  it('the kind of file that later nodes work with', () => {
    expect(type('GET /v1/report', { ...reads(null), as: 'pdf' })).toBe('application/pdf')
  })

  it('JSON, where later nodes read fields, whatever the address says', () => {
    expect(type('GET /report.pdf', { ...reads({ sum: 7 }), as: 'json' })).toBeUndefined()
  })

  test.each([
    ['/files/orders.csv', /csv/],
    ['/feed', /xml/],
    ['/pictures/image', /png/],
    ['/text-to-speech/audio', /mpeg/],
    ['https://www.shop.example/news', /html/],
    ['https://api.shop.example/news', undefined],
  ])('what the address %s says', (address, expected) => {
    const found = type(`GET ${address}`)
    if (expected) expect(found).toMatch(expected)
    else expect(found).toBeUndefined()
  })
})
