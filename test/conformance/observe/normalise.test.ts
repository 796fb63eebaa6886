import { expect, test } from '@jest/globals'
import { learn } from './known.ts'
import { makeComparable, makeTablesComparable } from './normalise.ts'

const uuid = '0b6f2d5e-1111-4222-8333-444455556666'
const tables = {
  project: [{ id: 'aB3dE5gH7jK9mN1p', name: 'mine' }],
  execution_entity: [
    { id: 7, workflowId: 'other', startedAt: '2026-01-01 00:00:00.000', status: 'success' },
    { id: 9, workflowId: 'one', startedAt: null, status: 'error' },
  ],
}
const known = learn(tables, {})

test('ids that n8n made become names that both sides share', () => {
  const value = {
    executionId: '9',
    projectId: 'aB3dE5gH7jK9mN1p',
    url: 'http://127.0.0.1:5678/webhook-waiting/9?signature=abc',
  }
  expect(makeComparable(value, known)).toEqual({
    executionId: 'one#1',
    projectId: '<project>',
    url: 'http://<address>/webhook-waiting/one#1?signature=<signature>',
  })
})

test('times and random values are left out, and whether there is one is not', () => {
  const value = { versionId: uuid, stoppedAt: '2026-01-01T00:00:00.000Z', waitTill: null, executionTime: 12 }
  expect(makeComparable(value, known)).toEqual({
    versionId: '<uuid>',
    stoppedAt: '<time>',
    waitTill: null,
    executionTime: '<time>',
  })
})

test('rows are told apart by what they are called', () => {
  expect(makeTablesComparable(tables, known)).toMatchObject({
    execution_entity: {
      'other#1': { startedAt: '<time>', status: 'success' },
      'one#1': { startedAt: null, status: 'error' },
    },
  })
})

test('what a role may do counts in any order, because n8n reads it from its database in none', () => {
  const value = (...slugs: string[]) => ({ role: { scopes: slugs.map((slug) => ({ slug })) } })
  expect(makeComparable(value('b', 'a'), known)).toEqual(makeComparable(value('a', 'b'), known))
  expect(makeComparable(value('b', 'a'), known)).not.toEqual(makeComparable(value('a', 'c'), known))
})

test('everything else stays as it is', () => {
  const value = { number: 9, text: 'nine', list: [1, null, true], nested: { a: '' } }
  expect(makeComparable(value, known)).toEqual(value)
})
