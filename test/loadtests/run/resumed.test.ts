import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { product } from '../../../loadtests/src/run/cells.ts'
import type { Schedule } from '../../../loadtests/src/run/schedule.ts'
import { planOfOthers } from '../../../loadtests/src/targets/attached/attached.ts'
import { n8n, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'

test('an interrupted run keeps what was measured, and leaves nothing running', async () => {
  const abort = new AbortController()
  const { records, told, error, left } = await running({
    signal: abort.signal,
    starting: (start) => void (start === 2 && abort.abort()),
  })
  expect(error).toBeNull()
  expect(told.slice(0, 4)).toEqual(['run', 'calibration', 'cell', 'step'])
  expect(records.at(-1)).toMatchObject({ outcome: 'interrupted' })
  expect(left).toEqual(nothing)
})

test('a run that was stopped goes on with what is missing, and says so', async () => {
  const abort = new AbortController()
  const { records } = await running({ signal: abort.signal, starting: (start) => void (start === 2 && abort.abort()) })
  const kept = records.slice(0, 1 + records.findLastIndex(({ type }) => type === 'visited'))
  const { told } = await running({ records: kept })
  expect(told).toEqual([
    'run',
    'calibration',
    'cell',
    'step',
    'visited',
    'warning',
    'cell',
    'step',
    'visited',
    'calibration',
    'end',
  ])
  expect(summarise(kept)).toMatchObject({
    outcome: 'complete',
    results: [{ variant: 'n8n-defaults' }, { variant: 'tuned' }],
    environment: { warnings: expect.arrayContaining([{ code: 'went-on', at: expect.any(Number) }]) },
  })
})

test('a visit of less than the whole load is shorter by that share, and never too short', async () => {
  const seconds = async (duration: number, share: number) => {
    const once: Schedule = (_, records) =>
      records.some(({ type }) => type === 'visited') ? null : { cells: [0], repeat: 1, share }
    const { records } = await running({ load: { shape: 'closed', vus: 8, duration, timeout: 5 }, schedule: once })
    return records.flatMap((record) => (record.type === 'step' ? Math.round(record.load.accepted / 100) : []))
  }
  expect(await seconds(60, 0.25)).toEqual([15])
  expect(await seconds(10, 0.125)).toEqual([5])
})

test('an n8n that ran before and is not asked is measured by its answers; of the rest nothing is said', async () => {
  const surroundings = { machine: null, warnings: ['It ran before.'] }
  const limits = { kind: 'unknown', enforced: true }
  const up = async () => ({
    url: n8n.url,
    settings: null,
    stores: [],
    processes: [],
    ready: async () => 0,
    down: async () => {},
  })
  const { records, told, error } = await running({
    plan: planOfOthers,
    other: { up, serve: undefined, surroundings, limits },
  })
  expect(error).toBeNull()
  expect(told).toEqual(['run', 'cell', 'step', 'visited', 'cell', 'step', 'visited', 'end'])
  const { environment, results, recommendation } = summarise(records)
  expect(environment).toMatchObject({
    machine: null,
    loadAverage: [],
    calibration: null,
    limits: 'unknown',
    warnings: expect.arrayContaining(['It ran before.']),
  })
  expect(environment.versions).not.toHaveProperty('n8n')
  expect(results[0]).toMatchObject({
    capacity: { rate: 100, accounting: { accepted: 100, finished: null, lost: null } },
    verdict: { holds: true },
    resources: [],
  })
  expect(recommendation).toBeNull()
})

test('a matrix is every combination of its values', () => {
  expect(product({ a: [1, 2], b: ['x', 'y'] })).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ])
  expect(product({})).toEqual([{}])
})
