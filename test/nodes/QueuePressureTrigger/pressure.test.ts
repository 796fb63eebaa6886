import { expect, test } from '@jest/globals'
import { next, type Rules, type State } from '../../../nodes/QueuePressureTrigger/pressure.ts'

const rules: Rules = { over: 2, under: 1, overMs: 30, underMs: 20 }

/** What the looks of a capacity of ten make of these numbers of jobs, one every 10 ms. */
function events(jobs: number[], capacity = 10, given = rules): string[] {
  let state: State = { pressed: false }
  return jobs.flatMap((count, number) => {
    const { event, ...after } = next(state, { jobs: count, capacity }, given, number * 10)
    state = after
    return event ? [`${number * 10} ${after.pressed ? 'pressure' : 'recovered'} since ${event.since}`] : []
  })
}

test('starts once pressure has stayed long enough, and again once it is over long enough', () => {
  expect(events([0, 21, 21, 21, 21, 21, 9, 9, 9, 9])).toEqual(['40 pressure since 10', '80 recovered since 60'])
})

test('a peak is no pressure, nor a moment’s rest a recovery', () => {
  expect(events([21, 21, 21, 20, 21, 21, 21])).toEqual([])
  expect(events([21, 21, 21, 21, 10, 10, 11, 10, 10, 21])).toEqual(['30 pressure since 0'])
})

test('does not flap around one threshold', () => {
  const around = Array.from({ length: 100 }, (_, number) => 20 + (number % 2 ? 5 : -5))
  expect(events([30, 30, 30, 30, ...around])).toEqual(['30 pressure since 0'])
})

test('between the two everything stays as it is', () => {
  expect(events(Array.from({ length: 20 }, () => 15))).toEqual([])
  expect(events([30, 30, 30, 30, ...Array.from({ length: 20 }, () => 15)])).toEqual(['30 pressure since 0'])
})

test('starts at once where no time is given', () => {
  expect(events([21, 9, 21], 10, { ...rules, overMs: 0, underMs: 0 })).toEqual([
    '0 pressure since 0',
    '10 recovered since 10',
    '20 pressure since 20',
  ])
})

test('without any worker a single job is pressure, and an empty queue is none', () => {
  expect(events([0, 0, 0, 0, 0], 0)).toEqual([])
  expect(events([1, 1, 1, 1, 0, 0, 0], 0)).toEqual(['30 pressure since 0', '60 recovered since 40'])
})
