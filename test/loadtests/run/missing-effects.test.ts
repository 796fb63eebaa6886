import { invalid } from '../../../loadtests/src/lib/errors.ts'
import { parseFault } from '../../../loadtests/src/fault/faults.ts'
import type { Target } from '../../../loadtests/src/targets/target.ts'
import { openTables } from '../../support/execution-tables.ts'
import { generatorAgainst, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'

/** n8n's database, without an execution. */
const tables = await openTables('sqlite')
afterAll(() => tables.close())

/** As many as are due. */
const all = ({ STAGES }: Record<string, string>) =>
  JSON.parse(STAGES!).flatMap(({ rate, seconds }: { rate: number; seconds: number }) =>
    Array.from({ length: Math.max(1, Math.round(rate * seconds)) }, (_, nth) =>
      JSON.stringify({ id: String(nth), began: Date.now(), taken: 5, outcome: 'accepted', status: 200 }),
    ),
  )

/** Under a fault k6 tells of each request. */
function generator(): Target['generator'] {
  const steady = generatorAgainst(100)
  const quiet = { summary: null, ended: 'exit code 0', failed: false, elapsed: 1, cpuSeconds: null, log: [] }
  return {
    ...steady,
    run: async (work) => (work.told ? [{ ...quiet, told: all(work.env), endedAt: Date.now() }] : steady.run(work)),
  }
}

test('a fault that does not begin is written down, with why and what to do, and the next is tried', async () => {
  const tried: string[] = []
  const { records, error, told, left } = await running({
    variants: [{ name: 'queue', values: { executions: { mode: 'queue' }, database: { type: 'embedded' } } }],
    load: { shape: 'constant', rate: 20, duration: 1, timeout: 5 },
    faults: [parseFault('worker-killed')!, parseFault('redis-killed')!],
    settings: tables.settings,
    async inject({ component }) {
      tried.push(component)
      throw invalid('no-answer', `Expected ${component} to end, got no answer.`, 'See its log.')
    },
    other: { generator: generator() },
  })
  expect(error).toBeNull()
  expect(tried).toEqual(['worker', 'redis'])
  expect(told).not.toContain('cell-failed')
  expect(records.filter(({ type }) => type === 'fault-untold')).toMatchObject([
    { fault: 'worker-killed', message: 'Expected worker to end, got no answer. See its log.' },
    { fault: 'redis-killed', message: 'Expected redis to end, got no answer. See its log.' },
  ])
  expect(left).toEqual(nothing)
})

test('a fault of what no n8n of the run has is refused before anything starts', async () => {
  const { error, told } = await running({ faults: [parseFault('worker-killed')!], inject: async () => async () => {} })
  expect(error).toMatchObject({ code: 'no-such-component' })
  expect(told).toEqual([])
})
