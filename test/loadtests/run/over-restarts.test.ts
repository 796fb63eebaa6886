import { countOn, riseOn, sum, total, type CountedOn } from '../../../loadtests/src/run/over-restarts.ts'
import type { Executions } from '../../../loadtests/src/model/sample.ts'

const executions = (started: number, succeeded = started, failed = 0): Executions => ({ started, succeeded, failed })

/** What is counted after these looks: when the process that answered began, and its own counters. */
function after(...looks: [startedAt: number | null, counters: Executions][]): Executions {
  const counted = looks.reduce<CountedOn | null>(
    (before, [startedAt, counters]) => countOn(before, startedAt, counters),
    null,
  )
  return total(counted!)
}

test('a process that lives is counted as it counts itself', () => {
  expect(after([1, executions(10)])).toEqual(executions(10))
  expect(after([1, executions(10)], [1, executions(25, 20, 1)])).toEqual(executions(25, 20, 1))
})

test('a process that ran before is counted from the first look on, also over its restarts', () => {
  const first = countOn(null, 1, executions(100, 90), executions(100, 90))
  expect(total(first)).toEqual(executions(0))
  const later = countOn(first, 1, executions(107, 96))
  expect(total(later)).toEqual(executions(7, 6))
  expect(total(countOn(later, 2, executions(0)))).toEqual(executions(7, 6))
})

test('what a process did before it died stays counted when the next begins at zero', () => {
  expect(after([1, executions(100, 90, 5)], [2, executions(0)])).toEqual(executions(100, 90, 5))
  expect(after([1, executions(100, 90, 5)], [2, executions(0)], [2, executions(7)])).toEqual(executions(107, 97, 5))
})

test('every restart is counted on', () => {
  expect(
    after([1, executions(100)], [2, executions(0)], [2, executions(60)], [3, executions(0)], [3, executions(5)]),
  ).toEqual(executions(165))
})

test('what n8n sends again of its dead predecessor, before it serves anything, is not counted twice', () => {
  expect(after([1, executions(100, 90)], [2, executions(3, 9)], [2, executions(13, 19)])).toEqual(executions(110, 100))
})

test('a process that overtook its predecessor is known by when it began', () => {
  expect(after([1, executions(10)], [2, executions(30)], [2, executions(31)])).toEqual(executions(11))
})

test('one that does not say when it began is known by its counters, which fell', () => {
  expect(after([null, executions(100)], [null, executions(0)], [null, executions(3)])).toEqual(executions(103))
})

test('an answer that a later one overtook on its way is no restart', () => {
  expect(after([1, executions(100)], [1, executions(90)], [1, executions(110)])).toEqual(executions(110))
})

test('nor is one of a process that is gone already', () => {
  expect(after([1, executions(100)], [2, executions(5)], [1, executions(99)], [2, executions(6)])).toEqual(
    executions(101),
  )
})

test('processes are summed', () => {
  expect(sum(executions(10, 8, 1), executions(5, 4, 0))).toEqual(executions(15, 12, 1))
})

test('a plain count goes on where its process began anew', () => {
  const risen = [3, 10, 2, 5].reduce<Parameters<typeof riseOn>[0]>((before, now) => riseOn(before, now), undefined)
  expect(risen).toEqual({ base: 10, last: 5 })
})
