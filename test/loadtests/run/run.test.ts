import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { headline } from '../../../loadtests/src/report/sentences.ts'
import type { RunningProcess } from '../../../loadtests/src/n8n/running.ts'
import { n8n, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'

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
        stores: [],
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
    expect(capacity!.interval!.low).toBeLessThanOrEqual(137)
    expect(capacity!.interval!.high).toBeGreaterThanOrEqual(137)
    expect(capacity!.rate).toBeGreaterThan(137 / 1.15)
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
  expect(headline(summary)).toContain('sustains 50/s of mixed-traffic.')
  expect(left).toEqual(nothing)
})
