import { openCounter } from '../../../loadtests/src/run/counter.ts'
import type { ExecutionCounts, ExecutionDatabase } from '../../../loadtests/src/n8n/database/rows.ts'
import type { Sampler } from '../../../loadtests/src/run/sampler.ts'

const executions = { started: 9, succeeded: 9, failed: 0 }
const sampler = (
  counts: Awaited<ReturnType<Sampler['count']>> = { executions, underWay: 0, requests: {} },
): Sampler => ({ count: async () => counts, stop: () => {} })
const { signal } = new AbortController()
const soon = { count: 0, figure: 0, every: 1 }
const nothing: ExecutionCounts = { begun: 0, finished: 0, failed: [], crashed: [], open: [] }

function fakeDatabase(...looks: Partial<ExecutionCounts>[]): ExecutionDatabase & { left: Partial<ExecutionCounts>[] } {
  return {
    left: looks,
    look: async () => ({ ...nothing, ...looks.shift() }),
    times: async () => null,
    finishedBy: async () => null,
    size: async () => ({ bytes: 4096, kept: 3, transactions: null }),
    close: async () => {},
  }
}

test('everybody who counts is asked', async () => {
  const database = fakeDatabase({ begun: 3, finished: 3 })
  const counter = openCounter(sampler(), database, {
    look: async () => ({ added: 7, waiting: 0, active: 0, keys: 0 }),
    close: async () => {},
  })
  expect(await counter.count(100)).toEqual({
    executions,
    underWay: 0,
    requests: {},
    database: { ...nothing, begun: 3, finished: 3 },
    queue: { added: 7, waiting: 0, active: 0, keys: 0 },
  })
})

test('a database says how large it is, and nobody else does', async () => {
  expect(await openCounter(sampler(), fakeDatabase(), null).size()).toMatchObject({ bytes: 4096, kept: 3 })
  expect(await openCounter(sampler(), null, null).size()).toBeNull()
})

test('a database that does not say how long executions took costs nothing else', async () => {
  const silent = { ...fakeDatabase(), times: () => Promise.reject(new Error('it took too long')) }
  expect(await openCounter(sampler(), silent, null, signal, soon).times(0)).toBeNull()
})

/** A database that refuses the first questions. */
function awayFor(questions: number): ExecutionDatabase {
  const database = fakeDatabase({ begun: 3, finished: 3 })
  let left = questions
  const refuse = async () => {
    if (left-- > 0) throw new Error('connect ECONNREFUSED')
  }
  return { ...database, look: () => refuse().then(database.look) }
}

test('a database that refuses for a while is waited for, and the count is whole', async () => {
  const counter = openCounter(sampler(), awayFor(3), null, signal, { ...soon, count: 60_000 })
  expect(await counter.count(100)).toMatchObject({ executions, database: { begun: 3, finished: 3 } })
})

test('without a database that stays away there is no count: what is not known is not zero', async () => {
  await expect(openCounter(sampler(), awayFor(Infinity), null, signal, soon).count(100)).rejects.toThrow('ECONNREFUSED')
})

test('an interrupted run does not wait for it', async () => {
  const counter = openCounter(sampler(), awayFor(Infinity), null, AbortSignal.abort(), { ...soon, count: 60_000 })
  await expect(counter.count(100)).rejects.toThrow('aborted')
})

test('who cannot be asked counts nothing', async () => {
  expect(await openCounter(sampler(), null, null).count(100)).toMatchObject({ database: null, queue: null })
})

test('there is no count while a process does not say its own', async () => {
  const database = fakeDatabase({ begun: 3 })
  expect(await openCounter(sampler(null), database, null).count(100)).toBeNull()
  expect(database.left).toHaveLength(1)
})

test('an execution that crashed stays so, when Bull gives its job up later and n8n calls it failed', async () => {
  const counter = openCounter(
    sampler(),
    fakeDatabase({ begun: 9, crashed: ['41', '42'] }, { begun: 9, failed: ['41', '42', '43'] }),
    null,
  )
  await counter.count(100)
  expect((await counter.count(100))!.database).toMatchObject({ crashed: ['41', '42'], failed: ['43'] })
})
