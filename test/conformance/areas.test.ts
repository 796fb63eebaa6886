import { expect, test } from '@jest/globals'
import { areas } from './areas.ts'

const cases = areas.flatMap((area) => area.cases)
const workflows = cases.flatMap((one) => one.workflows)
const repeated = (words: string[]) => words.filter((word, index) => words.indexOf(word) !== index)

test('there are at least sixty cases, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(repeated(cases.map(({ name }) => name))).toEqual([])
})

test('each workflow has an id of its own that every database takes', () => {
  expect(repeated(workflows.map(({ id }) => id))).toEqual([])
  expect(workflows.filter(({ id }) => id.length > 36)).toEqual([])
})
