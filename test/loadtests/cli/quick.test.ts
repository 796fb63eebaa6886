import { besideEachOther } from '../../../loadtests/src/cli/compare.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { atRate, lasting, lastingFor, quicker } from '../../../loadtests/src/cli/load.ts'
import { leavingOut } from '../../../loadtests/src/cli/tune.ts'
import { experiment, search } from '../fixtures/records.ts'

const duration = ({ load }: { load: object }) => (load as { duration: number }).duration

test('a load is a third as long, and never shorter than ten seconds', () => {
  expect(quicker({ shape: 'constant', rate: 5, duration: 60, timeout: 30 })).toMatchObject({ duration: 20 })
  expect(lasting(15, true)).toBe(10)
  expect(lasting(15, undefined)).toBe(15)
})

test('a search has shorter steps and is coarser', () => {
  expect(quicker({ ...search, step: 20 } as never)).toMatchObject({ step: 10, precision: 0.1 })
})

test('a rate that a command asks for holds for a mix that would have been searched', () => {
  const searched = experiment({ load: { ...search, weights: { a: 3 } } as never })
  expect(atRate(searched, { rate: 50 }).load).toEqual({
    shape: 'mixed',
    rate: 50,
    weights: { a: 3 },
    duration: 30,
    timeout: searched.load.timeout,
  })
})

test('a rate that a command asks for is asked as quickly', async () => {
  const prepared = { experiment: experiment() } as Prepared
  expect(duration(atRate(experiment(), { rate: 50 }))).toBe(30)
  expect(duration(atRate(experiment(), { rate: 50, quick: true }))).toBe(10)
  expect(duration(besideEachOther(prepared, { rate: 50, quick: true }).experiment)).toBe(10)
  const tuned = { experiment: experiment({ variants: [{ name: 'tune', values: {} }] }) } as Prepared
  expect(duration((await leavingOut(tuned, { setting: [], rate: 30, quick: true })).experiment)).toBe(10)
})

test('--hold loads one rate for that long, or a share of what a search finds', () => {
  expect(lastingFor(1800, atRate(experiment(), { rate: 50 }))).toMatchObject({ load: { rate: 50, duration: 1800 } })
  expect(lastingFor(1800, experiment({ load: search as never }))).toEqual({ hold: { share: 1, for: 1800 } })
  const closed = experiment({ load: { shape: 'closed' } as never })
  expect(() => lastingFor(1800, closed)).toThrow('got a load of shape closed')
})
