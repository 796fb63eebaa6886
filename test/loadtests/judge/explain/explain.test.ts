import { explainProcess } from '../../../../loadtests/src/judge/explain/explain.ts'
import type { ProcessProfile } from '../../../../loadtests/src/targets/profile.ts'

const isolatedVm = '/n8n/node_modules/isolated-vm/prebuilds/linux-x64/isolated-vm.abi137.glibc.node'

/** A main thread that V8 saw at work three times for executions and once for the database. */
function profile(over: Partial<ProcessProfile> = {}): ProcessProfile {
  const at = (id: number, file: string) => ({
    id,
    callFrame: { functionName: 'run', url: `/n8n/node_modules/${file}` },
  })
  return {
    elapsed: 10,
    counted: 4,
    threads: [{ name: 'MainThread', seconds: 4 }],
    others: [],
    natives: [isolatedVm],
    cpu: { nodes: [at(1, 'n8n-core/run.js'), at(2, 'pg/query.js')], samples: [1, 1, 2, 1] },
    heap: { head: { callFrame: { functionName: '(root)', url: '' }, selfSize: 0, children: [] } },
    ...over,
  }
}

const seconds = (given: ProcessProfile) =>
  Object.fromEntries(explainProcess('main-0', given).shares.map(({ area, amount }) => [area, amount]))

test('the main thread’s CPU time is divided as V8 saw it at work', () => {
  expect(explainProcess('main-0', profile())).toMatchObject({
    process: 'main-0',
    idle: 0.6,
    unexplained: 0,
    shares: [
      { area: 'executions', amount: 3, share: 0.75 },
      { area: 'database', amount: 1, share: 0.25 },
    ],
  })
})

test('threads without a name of their own are the isolates’, also those that are gone', () => {
  const threads = [
    { name: 'MainThread', seconds: 4 },
    { name: 'MainThread', seconds: 2 },
    { name: 'ended', seconds: 1 },
  ]
  expect(seconds(profile({ threads, counted: 7 }))).toMatchObject({ isolates: 3 })
})

test('without isolates such threads are Node’s', () => {
  expect(
    seconds(
      profile({
        threads: [
          { name: 'node', seconds: 4 },
          { name: 'node', seconds: 2 },
        ],
        natives: [],
      }),
    ),
  ).toMatchObject({ node: 2 })
})

test.each([
  ['V8Worker', 'gc'],
  ['DelayedTaskSche', 'gc'],
  ['WorkerThread', 'events'],
  ['v8:ProfEvntProc', 'profiling'],
  ['SignalInspector', 'profiling'],
  ['libuv-worker', 'node'],
])('the thread %s is counted as %s', (name, area) => {
  expect(
    seconds(
      profile({
        threads: [
          { name: 'MainThread', seconds: 4 },
          { name, seconds: 0.5 },
        ],
      }),
    ),
  ).toMatchObject({ [area]: 0.5 })
})

test('libuv’s threads are the database’s where that is SQLite, which works on them', () => {
  expect(
    seconds(
      profile({
        threads: [
          { name: 'MainThread', seconds: 4 },
          { name: 'libuv-worker', seconds: 1 },
        ],
        natives: ['/n8n/node_modules/sqlite3/build/Release/node_sqlite3.node'],
      }),
    ),
  ).toMatchObject({ database: 2 })
})

test('other processes of the container are the task runner, or n8n’s children', () => {
  const others = [
    { command: 'node /n8n/node_modules/@n8n/task-runner/dist/start.js', seconds: 0.5 },
    { command: 'ended', seconds: 0.2 },
  ]
  expect(seconds(profile({ others }))).toMatchObject({ runner: 0.5, children: 0.2 })
})

test('what the system counted and nobody is found to have used is said', () => {
  const { shares, unexplained } = explainProcess('main-0', profile({ counted: 5 }))
  expect(unexplained).toBeCloseTo(0.2)
  expect(shares.reduce((sum, { share }) => sum + share, unexplained)).toBeCloseTo(1)
})

test('a process without a look at work is Node’s', () => {
  expect(seconds(profile({ cpu: { nodes: [], samples: [] } }))).toEqual({ node: 4 })
})
