import { inForce } from '../../../loadtests/src/judge/tier.ts'
import { tiers } from '../fixtures/records.ts'
import type { PatchState } from '../../../loadtests/src/model/tier.ts'

const applied = (patch: string): PatchState => ({ patch, state: 'applied', reason: null })
const skipped = (patch: string): PatchState => ({ patch, state: 'skipped', reason: 'its module changed' })

test('patches that every process applied are in force', () => {
  expect(inForce(tiers.patched!, [applied('fewerQueries'), applied('fewerQueries')], {})).toMatchObject({
    applied: ['fewerQueries'],
    skipped: [],
  })
})

test('one that any process skipped is not', () => {
  expect(inForce(tiers.patched!, [applied('fewerQueries'), skipped('fewerQueries')], {})).toMatchObject({
    applied: [],
    skipped: [{ patch: 'fewerQueries', reason: 'its module changed' }],
  })
})

test('nor is one that is off', () => {
  expect(inForce(tiers.patched!, [{ patch: 'fewerQueries', state: 'off', reason: null }], {})).toMatchObject({
    applied: [],
    skipped: [],
  })
})

test('trust in the editors is a switch beside any tier', () => {
  expect(inForce(tiers.tuned!, [], { tuning: { trustEditors: true } })).toMatchObject({
    name: 'tuned',
    trustsEditors: true,
  })
  expect(inForce(tiers.tuned!, [], {})).toMatchObject({ trustsEditors: false })
})
