import {
  asOption,
  count,
  duration,
  figure,
  latency,
  list,
  memory,
  nameOf,
  percent,
  perSecond,
  roughly,
} from '../../../loadtests/src/lib/figures.ts'

test.each([
  [0, '0'],
  [0.51234, '0.512'],
  [12.345, '12.3'],
  [115.49, '115'],
  [1234.5, '1,235'],
])('%d has no more figures than a load test can know: %s', (value, text) => {
  expect(figure(value)).toBe(text)
})

test.each([
  [perSecond(92.04), '92/s'],
  [percent(0.0012), '0.12 %'],
  [roughly(0.0567), '5.7 %'],
  [count(4612), '4,612'],
  [latency(88.4), '88.4 ms'],
  [latency(1500), '1.5 s'],
  [memory(2 ** 30), '1 GiB'],
  [memory(700 * 2 ** 20), '700 MiB'],
  [memory(16 * 2 ** 30), '16 GiB'],
  [duration(45_000), '45 s'],
  [duration(480_000), '8 min'],
  [duration(485_000), '8 min 5 s'],
  [duration(3_600_000), '1 h'],
  [duration(5_400_000), '1 h 30 min'],
])('%s has its unit', (text, expected) => {
  expect(text).toBe(expected)
})

test('a list reads as one', () => {
  expect([list([]), list(['a']), list(['a', 'b']), list(['a', 'b', 'c'])]).toEqual(['', 'a', 'a and b', 'a, b and c'])
})

test('a result is named by its variant, and by its cell where there is a matrix', () => {
  expect(nameOf({ variant: 'tuned', cell: {} })).toBe('tuned')
  expect(nameOf({ variant: 'tuned', cell: { 'main.replicas': 2, timezone: 'UTC' } })).toBe(
    'tuned (main.replicas=2, timezone=UTC)',
  )
})

test.each([
  [100_000, '100000'],
  [1234.5, '1235'],
  [12.345, '12.3'],
])('%d as an option has no commas, which no option takes', (value, text) => {
  expect(asOption(value)).toBe(text)
})
