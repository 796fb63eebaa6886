import { between, type Times } from '../../../../../loadtests/src/targets/local/profiling/times.ts'

function times(
  threads: [id: number, name: string, seconds: number][],
  own: number,
  others: [pid: number, seconds: number][] = [],
  gone = 0,
): Times {
  return {
    threads: new Map(threads.map(([id, name, seconds]) => [id, { name, seconds }])),
    own,
    gone,
    others: new Map(others.map(([pid, seconds]) => [pid, { command: `child ${pid}`, seconds }])),
  }
}

test('threads have used what they have more than before, new ones all they have', () => {
  const { threads } = between(
    times([[1, 'MainThread', 5]], 5),
    times(
      [
        [1, 'MainThread', 7],
        [2, 'libuv-worker', 1],
      ],
      8,
    ),
  )
  expect(threads).toEqual([
    { name: 'MainThread', seconds: 2 },
    { name: 'libuv-worker', seconds: 1 },
    { name: 'ended', seconds: 0 },
  ])
})

test('what the process used beyond its threads was used by those that are gone', () => {
  const { threads } = between(
    times(
      [
        [1, 'MainThread', 5],
        [2, 'MainThread', 1],
      ],
      7,
    ),
    times([[1, 'MainThread', 6]], 10),
  )
  // 3 seconds in all, 1 of the main thread's.
  expect(threads.at(-1)).toEqual({ name: 'ended', seconds: 2 })
})

test('children that ended count with what they used since', () => {
  const { others } = between(times([[1, 'MainThread', 0]], 0, [[7, 3]]), times([[1, 'MainThread', 0]], 0, [[8, 1]], 5))
  expect(others).toEqual([
    { command: 'child 8', seconds: 1 },
    { command: 'ended', seconds: 2 },
  ])
})
