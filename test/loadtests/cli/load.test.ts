import { toOthers } from '../../../loadtests/src/cli/load.ts'

const search = { shape: 'search', min: 0.5, max: 20_000, step: 20, precision: 0.05, timeout: 30 } as const

test('a search on an n8n of others sends no more than who is asked can weigh', () => {
  expect(toOthers(search)).toMatchObject({ max: 100 })
})

test('a most that somebody named stays, and so does another load', () => {
  expect(toOthers({ ...search, max: 800 })).toMatchObject({ max: 800 })
  const load = { shape: 'constant', rate: 5, duration: 30, timeout: 30 } as const
  expect(toOthers(load)).toEqual(load)
})
