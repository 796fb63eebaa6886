import { describe, expect, it, test } from '@jest/globals'
import { notionPages } from '../../../../../loadtests/src/workload/outside/answers/notion.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

const ask = (call: string, sample: object | null = null) =>
  notionPages(askingOf(call), [{ node: 'Pages', service: 'Notion', sample, must: null }]).body as Record<string, any>
const query = 'POST /v1/databases/db1/query'

describe('a page of Notion', () => {
  test.each([
    ['a text', 'A-17', { type: 'rich_text', rich_text: [expect.objectContaining({ plain_text: 'A-17' })] }],
    ['a number', 8, { type: 'number', number: 8 }],
    ['a box', true, { type: 'checkbox', checkbox: true }],
    ['a list', ['new'], { type: 'multi_select', multi_select: [{ name: 'new', color: 'default' }] }],
    ['a day', { start: '2026-01-31' }, { type: 'date', date: { start: '2026-01-31' } }],
  ])('has what a node reads as a property of it: %s', (_, value, property) => {
    expect(ask(query, { property_due: value }).results[0].properties.due).toMatchObject(property)
  })

  it('is called as the node reads its name', () => {
    expect(ask(query, { name: 'Grace' }).results[0].properties.Name.title[0].plain_text).toBe('Grace')
  })

  it('is that which is asked for', () => expect(ask('GET /v1/pages/abc')).toMatchObject({ object: 'page', id: 'abc' }))

  it('is one, where it was made', () => expect(ask('POST /v1/pages')).toMatchObject({ object: 'page' }))
})
