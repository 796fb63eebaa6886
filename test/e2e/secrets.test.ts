import { join } from 'node:path'
import { runPlanted, type Planted } from '../support/planted/run.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let planted: Planted
beforeAll(async () => {
  planted = await runPlanted(join(folder, 'planted'), [])
}, 600_000)

test('a run with a secret in every place keeps, says and shows none of them', () => {
  expect(planted.found).toEqual([])
  expect(planted.secrets).toBeGreaterThanOrEqual(40)
})

test('it was a whole run, whose workflow printed what it was sent', () => {
  expect(planted.accepted).toBeGreaterThan(0)
  expect(planted.printed).toBe(true)
})
