import { tables } from '../../../loadtests/evidence/tables.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { worded } from '../../../loadtests/src/report/worded.ts'
import { T0, cell, constant, end, run, sample, step } from '../../loadtests/fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

describe('sizing', () => {
  const experiment = {
    name: 'right-size',
    variants: [{ name: 'n8n', values: {} }],
    matrix: { 'worker.replicas': [1, 2] },
    load: { ...constant, duration: 60 },
  }
  const dear = cell(0, { variant: 'n8n', matrix: { 'worker.replicas': 2 }, cost: 40 })
  const cheap = cell(1, { variant: 'n8n', matrix: { 'worker.replicas': 1 }, cost: 25 })
  const table = tables.sizing!(
    summarise([
      run({ experiment }),
      dear,
      step(0, 50, { seconds: 8 }),
      cheap,
      step(1, 50, { seconds: 8, p95: 700, because: ['latency'] }),
      dear,
      step(0, 50, { seconds: 60, repeat: 4 }),
      end(),
    ]),
  )

  test('has the cheapest first, with what was seen of each', () => {
    const rows = table.split('\n').filter((line) => line.startsWith('| replicas'))
    expect(rows).toEqual([
      '| replicas 1 | 25 | 1 | 8 s | no | 700 ms |',
      '| replicas 2 | 40 | 2 | 68 s | yes | 80 ms |',
    ])
  })

  test('says what it chose, and what looking took beside looking long at everything', () => {
    expect(table).toContain('sustains 50/s of ping-webhook')
    expect(table).toContain(
      'It measured for 76 s; every cell at full length is 120 s. 1 of the 1 cheaper ones failed their last look.',
    )
  })
})

describe('roles', () => {
  const workers = (index: number, replicas: number) =>
    cell(index, { variant: 'n8n', matrix: { 'worker.replicas': replicas } })
  const summary = summarise([
    run({ experiment: { variants: [{ name: 'n8n', values: {} }], matrix: { 'worker.replicas': [1, 2] } } }),
    workers(0, 1),
    sample(0, T0, { process: 'worker-0', cpu: 0.2 }),
    step(0, 40),
    workers(1, 2),
    sample(1, T0, { process: 'worker-0', cpu: 0.2 }),
    sample(1, T0, { process: 'worker-1', cpu: 0.1, rss: 600 * 2 ** 20 }),
    step(1, 70),
    end(),
  ])

  test('says what each replica of a role took on average, and the most memory of any', () => {
    expect(tables.roles!(summary).split('\n').slice(2)).toEqual([
      '| 40/s | 1 × 200m, 500 MiB |',
      '| 70/s | 2 × 150m, 600 MiB |',
    ])
  })
})

describe('answers', () => {
  test('tell apart who was refused with a status and who was told nothing', () => {
    const flooded = step(0, 250, { seconds: 60, throughput: 200, p95: 3700, because: ['errors'] }) as Extract<
      RunRecord,
      { type: 'step' }
    >
    flooded.load.failures = { status_5xx: 2900, reset: 100 }
    const summary = summarise([run(), cell(0), sample(0, T0), flooded, end()])
    expect(tables.answers!(summary).split('\n').at(-1)).toBe(
      '| tuned | 15,000 | 12,000 | 2,900 | 100 | 3.7 s | 11.1 s | 500 MiB of 1 GiB |',
    )
  })
})

describe('worths', () => {
  test('say of each setting that was left out what it is worth, and how sure that is', () => {
    const variants = [
      { name: 'tuned', values: {} },
      { name: 'without-fastIsolates', values: {}, without: 'fastIsolates' },
    ]
    const summary = summarise([
      run({ experiment: { variants, repeat: 1 } }),
      cell(0),
      step(0, 60),
      cell(1, { variant: 'without-fastIsolates' }),
      step(1, 30),
      end(),
    ])
    expect(tables.worths!(worded(summary)).split('\n').at(-1)).toBe(
      '| ping-webhook | fastIsolates | about 100 % more, one run (60/s with it, 30/s without). |',
    )
  })
})
