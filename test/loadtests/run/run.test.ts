import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import type { Load } from '../../../loadtests/src/profile/experiment.ts'
import type { RunRecord } from '../../../loadtests/src/record/records.ts'
import { headline } from '../../../loadtests/src/report/sentences.ts'
import { product } from '../../../loadtests/src/run/cells.ts'
import type { Schedule } from '../../../loadtests/src/run/schedule.ts'
import { planOfOthers } from '../../../loadtests/src/target/attached/attached.ts'
import type { ProcessProfile } from '../../../loadtests/src/target/profile.ts'
import { readinessErrors } from '../../../loadtests/src/target/readiness-errors.ts'
import type { RunningProcess } from '../../../loadtests/src/target/target.ts'
import { generatorAgainst, n8n, running } from '../fixtures/running.ts'

const nothing = { up: 0, open: false }

test(
  'every variant is started, measured and taken down, as often as asked, and all of it is written down in '
    + 'its order',
  async () => {
    const { records, told, left, error } = await running({ repeat: 2 })
    expect(error).toBeNull()
    expect(told).toEqual([
      'run',
      'calibration',
      ...Array(4).fill(['cell', 'step', 'visited']).flat(),
      'calibration',
      'end',
    ])
    expect(records.flatMap((record) => (record.type === 'cell' ? record.variant : []))).toEqual([
      'n8n-defaults',
      'tuned',
      'tuned',
      'n8n-defaults',
    ])
    expect(records.flatMap((record) => (record.type === 'step' ? record.repeat : []))).toEqual([1, 1, 2, 2])
    expect(records.at(-1)).toMatchObject({ outcome: 'complete' })
    expect(left).toEqual(nothing)
  },
)

test('what n8n says of its patches is written down, where it was asked for any', async () => {
  const said = '# TYPE n8n_tuned_patch gauge\nn8n_tuned_patch{patch="fewerQueries",state="applied"} 1\n'
  const process: RunningProcess = {
    ...n8n.process,
    metrics: async (timeout) => `${await n8n.process.metrics!(timeout)}${said}`,
  }
  const variants = ['tuned', 'patched'].map((tier) => ({ name: tier, values: { tuning: { tier } } }))
  const { records } = await running({
    variants,
    other: {
      up: async () => ({
        url: n8n.url,
        settings: null,
        processes: [process],
        ready: async () => 0,
        down: async () => {},
      }),
    },
  })
  expect(records.filter(({ type }) => type === 'patches')).toMatchObject([
    { cell: 1, process: n8n.process.name, patches: [{ patch: 'fewerQueries', state: 'applied' }] },
  ])
  expect(summarise(records).results.map(({ tier }) => [tier!.name, tier!.applied])).toEqual([
    ['tuned', []],
    ['patched', ['fewerQueries']],
  ])
})

test('a closed step is judged by what n8n finished of what it accepted', async () => {
  const { records } = await running()
  expect(records.find(({ type }) => type === 'step')).toMatchObject({
    holds: true,
    reasons: [],
    accounting: { accepted: 100, finished: 100, lost: 0 },
    load: { vus: 8, throughput: 100 },
  })
})

test('a search closes in on the capacity', async () => {
  const { results } = summarise(
    (
      await running({
        load: { shape: 'search', min: 1, max: 2000, step: 1, precision: 0.05, timeout: 5 },
        capacity: 137,
      })
    ).records,
  )
  for (const { capacity, verdict } of results) {
    expect(capacity!.rate).toBeGreaterThan(137 / 1.05)
    expect(capacity!.rate).toBeLessThanOrEqual(137)
    expect(verdict).toMatchObject({ holds: true, reasons: [{ code: 'latency' }] })
  }
})

test.each<Load>([
  { shape: 'ramp', from: 1, to: 50, duration: 1, timeout: 5 },
  { shape: 'spike', rate: 5, peak: 50, duration: 1, timeout: 5 },
  { shape: 'soak', rate: 50, duration: 1, timeout: 5 },
  { shape: 'herd', rate: 50, waiting: 20, duration: 1, timeout: 5 },
])('a $shape is one step after a warm-up, told and judged like any other', async (load) => {
  const { records } = await running({ load })
  const { results } = summarise(records)
  const steps = results[0]!.steps.filter(({ purpose }) => purpose === 'measure')
  expect(steps).toMatchObject([{ holds: true, load: { shape: 'course', rate: 50 } }])
  expect(results[0]).toMatchObject({ verdict: { holds: true }, capacity: { accounting: { lost: 0 } } })
})

test('a mix is one cell of all its workflows: started, loaded and judged together', async () => {
  const seeded: string[][] = []
  const { records, left } = await running({
    load: { shape: 'mixed', rate: 50, weights: { 'ping-webhook': 3 }, duration: 1, timeout: 5 },
    workflows: ['ping-webhook', 'expression-webhook'],
    onUp: ({ workflows }) => void seeded.push(workflows.map(({ webhook }) => webhook.path)),
  })
  const summary = summarise(records)
  expect(seeded).toEqual([
    ['/webhook/ping', '/webhook/expression'],
    ['/webhook/ping', '/webhook/expression'],
  ])
  expect(summary.results.map(({ variant, workflow, verdict }) => [variant, workflow, verdict.holds])).toEqual([
    ['n8n-defaults', 'mixed-traffic', true],
    ['tuned', 'mixed-traffic', true],
  ])
  expect(summary.results[0]!.steps.at(-1)!.load.parts).toMatchObject([
    { workflow: 'ping-webhook' },
    { workflow: 'expression-webhook' },
  ])
  expect(headline(summary)).toContain('carries 50/s of mixed-traffic.')
  expect(left).toEqual(nothing)
})

const seen: ProcessProfile = {
  elapsed: 15,
  counted: 3,
  threads: [{ name: 'MainThread', seconds: 3 }],
  others: [],
  natives: [],
  cpu: {
    nodes: [{ id: 1, callFrame: { functionName: 'run', url: '/n8n/node_modules/n8n-core/run.js' } }],
    samples: [1],
  },
  heap: { head: { callFrame: { functionName: '(root)', url: '' }, selfSize: 0, children: [] } },
}

test(
  'a run that is to be explained has one step more in its first repeat, under profile, at the highest '
    + 'rate that held',
  async () => {
    const { records, told, dir } = await running({
      load: { shape: 'search', min: 1, max: 2000, step: 1, precision: 0.2, timeout: 5 },
      repeat: 2,
      capacity: 100,
      profile: async () => async () => seen,
    })
    const held = records.flatMap((record) =>
      record.type === 'step' && record.purpose === 'measure' && record.repeat === 1 && record.cell === 0 && record.holds
        ? [record.load.rate!]
        : [],
    )
    expect(told.filter((type) => type === 'explained' || type === 'visited')).toEqual([
      'explained',
      'visited',
      'explained',
      'visited',
      'visited',
      'visited',
    ])
    expect(records.find(({ type }) => type === 'explained')).toMatchObject({
      cell: 0,
      rate: Math.max(...held),
      processes: [{ process: n8n.process.name, cpu: 3, shares: [{ area: 'executions', amount: 3, share: 1 }] }],
    })
    expect(summarise(records).results[0]!.explanation).toMatchObject({ largest: 'executions' })
    for (const kind of ['cpuprofile', 'heapprofile'])
      expect(existsSync(join(dir, 'profiles', 'n8n-defaults-ping-webhook-0-1', `${n8n.process.name}.${kind}`))).toBe(
        true,
      )
  },
)

test('what cannot be explained is a warning, and no figure is lost', async () => {
  const { records, error } = await running({
    profile: async () => {
      throw new Error('the inspector of process 7 refused')
    },
  })
  expect(error).toBeNull()
  expect(summarise(records)).toMatchObject({
    outcome: 'complete',
    environment: {
      warnings: expect.arrayContaining([
        'ping-webhook on tuned could not be explained: the inspector of process 7 refused.',
      ]),
    },
  })
})

test('an n8n that cannot start is written down, and the next is measured', async () => {
  const { records, told, left } = await running({
    starting(start) {
      if (start === 1)
        throw readinessErrors.neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', [
          'no database',
        ])
    },
  })
  expect(told).toEqual([
    'run',
    'calibration',
    'cell',
    'cell-failed',
    'visited',
    'cell',
    'step',
    'visited',
    'calibration',
    'end',
  ])
  expect(records.find(({ type }) => type === 'cell-failed')).toMatchObject({
    cell: 0,
    code: 'never-ready',
    log: ['no database'],
  })
  expect(records.at(-1)).toMatchObject({ outcome: 'complete' })
  expect(left).toEqual(nothing)
})

test('any other failure ends the run, which says so and leaves nothing running', async () => {
  const { records, error, left } = await running({
    starting() {
      throw new TypeError('a defect')
    },
  })
  expect(error).toEqual(new TypeError('a defect'))
  expect(records.at(-1)).toMatchObject({ outcome: 'failed' })
  expect(left).toEqual(nothing)
})

describe('one variant beside another', () => {
  const variants = [
    { name: 'with', values: {} },
    { name: 'without', values: {}, beside: 'with' },
  ]
  const load: Load = { shape: 'constant', rate: 50, duration: 1, timeout: 5 }
  /** In their order: each start, and each step by its purpose; several in a row once. */
  const course = (records: RunRecord[]) =>
    records
      .flatMap((record) => (record.type === 'step' ? [record.purpose] : record.type === 'cell' ? ['start'] : []))
      .filter((what, at, all) => what !== all[at - 1])

  test('is up and loaded at the same time, where the target can', async () => {
    const { records, told, left, error } = await running({ load, variants, other: { sideBySide: true } })
    expect(error).toBeNull()
    expect(course(records)).toEqual(['start', 'warm-up', 'measure'])
    expect(told.slice(-4)).toEqual(['visited', 'visited', 'calibration', 'end'])
    expect(left).toEqual(nothing)
  })

  test.each([
    ['side by side', 'at moments of its own', true, '0.02'],
    ['one after the other', 'on schedule', false, undefined],
  ])('is asked, %s, %s', async (_, __, sideBySide, scatter) => {
    const generator = generatorAgainst(100)
    const asked: Record<string, string>[] = []
    await running({
      load,
      variants,
      other: {
        ...(sideBySide && { sideBySide }),
        generator: { ...generator, run: (work) => (asked.push(work.env), generator.run(work)) },
      },
    })
    expect(asked.filter(({ RATE }) => RATE === '50').map(({ SCATTER }) => SCATTER)).toEqual([scatter, scatter])
  })

  test('comes after it elsewhere', async () => {
    expect(course((await running({ load, variants })).records)).toEqual([
      'start',
      'warm-up',
      'measure',
      'start',
      'warm-up',
      'measure',
    ])
  })

  test('is measured alone where the other cannot start', async () => {
    const { records, told } = await running({
      load,
      variants,
      other: { sideBySide: true },
      starting(start) {
        if (start === 1)
          throw readinessErrors.neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', [])
      },
    })
    expect(course(records)).toEqual(['start', 'warm-up', 'measure'])
    expect(told).toContain('cell-failed')
  })
})

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
    environment: { warnings: expect.arrayContaining([expect.stringContaining('The run was stopped')]) },
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

test(
  'an n8n that ran before and is not asked is measured by its answers, and nothing is said of what nobody ' + 'knows',
  async () => {
    const surroundings = { machine: null, warnings: ['It ran before.'] }
    const limits = { kind: 'unknown', enforced: true }
    const up = async () => ({ url: n8n.url, settings: null, processes: [], ready: async () => 0, down: async () => {} })
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
  },
)

test('a matrix is every combination of its values', () => {
  expect(product({ a: [1, 2], b: ['x', 'y'] })).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ])
  expect(product({})).toEqual([{}])
})
