import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { operatingSentences } from '../../../loadtests/src/report/operating.ts'
import { nothing } from '../fixtures/nothing-left.ts'
import { n8n, running } from '../fixtures/running.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'

const search: Load = { shape: 'search', min: 1, max: 2000, step: 1, precision: 0.05, timeout: 5 }
const hold = { share: 0.7, for: 1 }
const variants = [{ name: 'tuned', values: {} }]

test('after the search, its share of the capacity is held on an n8n that starts anew', async () => {
  let starts = 0
  const { records, error, left } = await running({ load: search, variants, hold, starting: () => void starts++ })
  expect(error).toBeNull()
  expect({ starts, left }).toEqual({ starts: 2, left: nothing })
  const { results } = summarise(records)
  const [held] = records.filter((record) => record.type === 'held')
  expect(held).toMatchObject({ share: 0.7, holds: true, load: { rate: results[0]!.operating!.rate } })
  expect(results[0]!.steps.filter(({ repeat }) => repeat === 0)).toEqual([])
})

test('a rate that breaks is followed by a smaller one', async () => {
  // Past this n8n’s capacity, whatever the search found before.
  const { records } = await running({ load: search, variants, hold: { share: 2.6, for: 1 } })
  const held = records.filter((record) => record.type === 'held')
  expect(held.map(({ share }) => Number(share.toFixed(4)))).toEqual([2.6, 1.95, 1.4625].slice(0, held.length))
  expect(held.map(({ holds }) => holds)).toEqual([...held.slice(1).map(() => false), true])
  expect(held.length).toBeGreaterThan(1)
})

test('what was held already is not held again when the run goes on', async () => {
  const { records } = await running({ load: search, variants, hold })
  let starts = 0
  await running({ load: search, variants, hold, records, starting: () => void starts++ })
  expect(starts).toBe(0)
})

test('an n8n whose database says nothing has no growth of it to tell', async () => {
  expect(n8n.url).toMatch(/^http/)
  const { records } = await running({ load: search, variants, hold })
  const [sentence] = operatingSentences(summarise(records))
  expect(sentence).toMatch(/^Run it at .*\/s, 70 % of its safe rate\. It held that for \d s with p95 at /)
  expect(sentence).not.toMatch(/database/)
})
