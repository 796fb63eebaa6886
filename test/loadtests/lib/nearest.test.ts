import { didYouMean, nearest } from '../../../loadtests/src/lib/nearest.ts'

const known = ['ping-webhook', 'wait-5s-webhook', 'main-killed', 'quick', 'capacity']

test.each([
  ['a letter left out', 'ping-webhok', 'ping-webhook'],
  ['a letter too many', 'capaccity', 'capacity'],
  ['another letter', 'main-kiled', 'main-killed'],
  ['two letters swapped', 'qiuck', 'quick'],
  ['capitals', 'Quick', 'quick'],
  ['a word for another', 'pong-webhook', 'ping-webhook'],
])('finds what %s meant', (_, given, meant) => {
  expect(nearest(given, known)).toBe(meant)
})

test.each(['', 'tennis', 'x'.repeat(1e6)])('finds nothing near enough, and says the other', (given) => {
  expect(didYouMean(given, known, 'All of them.')).toBe('All of them.')
})
