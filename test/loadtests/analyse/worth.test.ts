import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import type { ReasonCode } from '../../../loadtests/src/analyse/summary.ts'
import { cell, end, run, step } from '../fixtures/records.ts'

/** Capacities of three repeats with everything, and with one setting left out. */
function worth(all: number[], without: Record<string, number[] | ReasonCode>) {
  const variants = [{ name: 'tuned', values: {} }, ...Object.keys(without).map((setting) => ({ name: `without-${setting}`, values: {}, without: setting })), { name: 'n8n-defaults', values: {} }]
  const told = [all, ...Object.values(without), [10]].flatMap((rates, index) => [
    cell(index, { variant: variants[index]!.name }),
    ...(typeof rates === 'string' ? [step(index, 10, { because: [rates] })] : rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
  ])
  return summarise([run({ experiment: { variants, repeat: 3 } }), ...told, end()]).worth
}

test('is what n8n carries more with the setting than without it', () => {
  const [only] = worth([100, 100, 100], { lazyIsolates: [25, 25, 25] })
  expect(only).toMatchObject({ workflow: 'ping-webhook', setting: 'lazyIsolates', share: 3, text: 'lazyIsolates: +300 %, give or take 5 % (100/s with it, 25/s without).' })
})

test('is told most valuable first, and n8n’s defaults are no setting', () => {
  expect(worth([100], { a: [90], b: [50], c: [120] }).map(({ setting }) => setting)).toEqual(['b', 'a', 'c'])
})

test('may be off by the spread of the repeats, within which it is noise', () => {
  const [only] = worth([95, 100, 105], { noStatistics: [94, 98, 99] })
  expect(only!.within).toBeCloseTo(0.1)
  expect(only!.text).toBe('noStatistics: no more than the noise of 10 % (100/s with it, 98/s without).')
})

test('may be less than nothing', () => {
  expect(worth([80], { lazyIsolates: [100] })[0]!.text).toBe('lazyIsolates: −20 %, give or take 5 % (80/s with it, 100/s without).')
})

test('is everything where n8n dies without it, and comes first', () => {
  const [first] = worth([100], { a: [10], derivedHeap: 'oom-killed' })
  expect(first).toMatchObject({ setting: 'derivedHeap', share: null, within: null, text: 'derivedHeap: carries 100/s with it, and without it was killed for memory at 10/s.' })
})

test('is not asked for where nothing was left out', () => {
  expect(summarise([run(), end()]).worth).toEqual([])
})
