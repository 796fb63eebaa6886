import { expect, test } from '@jest/globals'
import { compare, MISSING } from './compare.ts'

const observation = () => ({
  answers: [{ status: 200, headers: { 'content-type': 'application/json', vary: 'Origin' }, body: { a: 1 } }],
  tables: {
    execution_entity: [
      { status: 'success', mode: 'webhook' },
      { status: 'error', mode: 'webhook' },
    ],
  },
  events: ['n8n.workflow.started', 'n8n.workflow.success', 'n8n.workflow.success'],
})

function differencesAfter(change: (right: any) => void) {
  const right = observation()
  change(right)
  return compare(observation(), right)
}

test('finds nothing where nothing differs', () => {
  expect(differencesAfter(() => {})).toEqual([])
})

test('finds a dropped column', () => {
  expect(differencesAfter((right) => delete right.tables.execution_entity[1].mode)).toEqual([
    { path: 'tables.execution_entity[1].mode', left: 'webhook', right: MISSING },
  ])
})

test('finds a changed header', () => {
  expect(differencesAfter((right) => (right.answers[0].headers.vary = '*'))).toEqual([
    { path: 'answers[0].headers.vary', left: 'Origin', right: '*' },
  ])
})

test('finds a lost line of many that are the same', () => {
  expect(differencesAfter((right) => right.events.pop())).toEqual([
    { path: 'events[2]', left: 'n8n.workflow.success', right: MISSING },
  ])
})

test('finds a row that is too many', () => {
  const row = { status: 'success', mode: 'manual' }
  expect(differencesAfter((right) => right.tables.execution_entity.push(row))).toEqual([
    { path: 'tables.execution_entity[2]', left: MISSING, right: row },
  ])
})

test('tells null from nothing, and a number from its text', () => {
  expect(compare({ a: null, b: 1 }, { b: '1' }).map(({ path }) => path)).toEqual(['a', 'b'])
})
