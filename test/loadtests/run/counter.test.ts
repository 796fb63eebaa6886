import type { ExecutionDatabase, Tally } from '../../../loadtests/src/n8n/executions.ts'
import { openCounter } from '../../../loadtests/src/run/counter.ts'
import type { Sampler } from '../../../loadtests/src/run/sampler.ts'

const executions = { started: 9, succeeded: 9, failed: 0 }
const sampler = (
  counts: Awaited<ReturnType<Sampler['count']>> = { executions, underWay: 0, requests: {} },
): Sampler => ({ count: async () => counts, awake: async () => {}, stop: () => {} })
const { signal } = new AbortController()
const soon = { count: 0, figure: 0, every: 1 }
const load = { called: [{ id: 'a', kept: { success: true, error: true }, marked: true }], mark: 'ntr-1' }
const told: Tally = { by: {}, gone: 0, others: 0, names: { crashed: [], open: [] } }

const database = (over: Partial<ExecutionDatabase> = {}): ExecutionDatabase => ({
  newest: async () => 3,
  open: async () => ({ count: 1, first: 3 }),
  tally: async () => told,
  times: async () => null,
  carrying: async () => [],
  states: async () => ({ rows: [], gone: 0 }),
  size: async () => ({ bytes: 4096, kept: 3, transactions: null }),
  close: async () => {},
  ...over,
})
const counting = (asked: ExecutionDatabase | null, of = sampler()) => ({
  sampler: of,
  database: asked,
  queue: null,
  load,
})

test('everybody who counts is asked', async () => {
  const queue = { look: async () => ({ added: 7, waiting: 0, active: 0, keys: 0 }), close: async () => {} }
  expect(await openCounter({ ...counting(database()), queue }).count(100)).toEqual({
    executions,
    underWay: 0,
    requests: {},
    database: { newest: 3, open: 1 },
    queue: { added: 7, waiting: 0, active: 0, keys: 0 },
  })
})

test('executions that have ended are not looked at again, however often is asked', async () => {
  const asked: number[] = []
  const counter = openCounter(
    counting(
      database({
        newest: async () => 90_000,
        open: async (after) => ({ count: asked.push(after), first: 50_000 }),
      }),
    ),
  )
  for (let look = 0; look < 3; look++) await counter.count(100)
  // Rows may come out of the order of their numbers, so it begins a little earlier.
  expect(asked).toEqual([0, 49_000, 49_000])
})

test('what became of a load is asked of what it called, by its mark', async () => {
  let asked: unknown
  const tally = async (of: unknown) => ((asked = of), told)
  expect(await openCounter(counting(database({ tally }))).tally(41)).toBe(told)
  expect(asked).toEqual({ ...load, after: 41 })
})

test('a database says how large it is, and nobody else does', async () => {
  expect(await openCounter(counting(database())).size()).toMatchObject({ bytes: 4096, kept: 3 })
  expect(await openCounter(counting(null)).size()).toBeNull()
})

test('a database that does not say how long executions took costs nothing else', async () => {
  const silent = database({ times: () => Promise.reject(new Error('it took too long')) })
  expect(await openCounter(counting(silent), signal, soon).times(0, 9)).toBeNull()
})

/** A database that refuses the first questions. */
function awayFor(questions: number): ExecutionDatabase {
  let left = questions
  return database({
    newest: async () => {
      if (left-- > 0) throw new Error('connect ECONNREFUSED')
      return 3
    },
  })
}

test('a database that refuses for a while is waited for, and the count is whole', async () => {
  const counter = openCounter(counting(awayFor(3)), signal, { ...soon, count: 60_000 })
  expect(await counter.count(100)).toMatchObject({ executions, database: { newest: 3, open: 1 } })
})

test('without a database that stays away there is no count: what is not known is not zero', async () => {
  await expect(openCounter(counting(awayFor(Infinity)), signal, soon).count(100)).rejects.toThrow('ECONNREFUSED')
})

test('an interrupted run does not wait for it', async () => {
  const counter = openCounter(counting(awayFor(Infinity)), AbortSignal.abort(), { ...soon, count: 60_000 })
  await expect(counter.count(100)).rejects.toThrow('aborted')
})

test('who cannot be asked counts nothing', async () => {
  const counter = openCounter(counting(null))
  expect(await counter.count(100)).toMatchObject({ database: null, queue: null })
  expect(await counter.tally(0)).toBeNull()
})

test('there is no count while a process does not say its own', async () => {
  expect(await openCounter(counting(database(), sampler(null))).count(100)).toBeNull()
})
