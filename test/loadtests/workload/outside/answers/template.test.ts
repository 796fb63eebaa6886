import { expect, it, test } from '@jest/globals'
import { fillTemplate } from '../../../../../loadtests/src/workload/outside/answers/template.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

const body = { text: 'Hi', chat: { id: 5 }, items: [{ title: 'First' }] }
const filled = (answer: unknown) => fillTemplate(answer, askingOf('POST /orders/a%20b?page=2', body))

test.each([
  ['{{body.text}}', 'Hi'],
  ['{{body.chat.id}}', 5],
  ['{{body.items.0.title}}', 'First'],
  ['{{query.page}}', '2'],
  ['{{path.2}}', 'a b'],
  ['{{host}}', 'service.example'],
  ['{{counter}}', 7],
  ['{{uuid}}', expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ['{{now}}', expect.stringMatching(/^\d{4}-.*Z$/)],
  ['{{unix}}', expect.any(Number)],
  ['{{body.nothing|Hello}}', 'Hello'],
  ['{{body.nothing|7}}', 7],
  ['{{body.nothing}}', null],
])('%s alone keeps its type', (field, value) => expect(filled(field)).toEqual(value))

it('within a text, a field is a text', () => {
  expect(filled('{{body.text}} {{body.chat.id}} {{body.chat}}')).toBe('Hi 5 {"id":5}')
})

it('an answer is filled in at any depth', () => {
  expect(filled({ ok: true, result: [{ text: '{{body.text}}' }] })).toEqual({ ok: true, result: [{ text: 'Hi' }] })
})
