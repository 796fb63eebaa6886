import { tables } from '../../../loadtests/evidence/tables.ts'
import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import { T0, cell, constant, end, run, sample, step } from '../../loadtests/fixtures/records.ts'

describe('sizing', () => {
  const experiment = {
    name: 'right-size',
    variants: [{ name: 'n8n', values: {} }],
    matrix: { 'worker.replicas': [1, 2] },
    load: { ...constant, duration: 60 },
  }
  const dear = cell(0, { variant: 'n8n', matrix: { 'worker.replicas': 2 }, cost: 40 })
  const cheap = cell(1, { variant: 'n8n', matrix: { 'worker.replicas': 1 }, cost: 25 })
  const table = tables.sizing!(summarise([
    run({ experiment }),
    dear, step(0, 50, { seconds: 8 }),
    cheap, step(1, 50, { seconds: 8, p95: 700, because: ['latency'] }),
    dear, step(0, 50, { seconds: 60, repeat: 4 }),
    end(),
  ]))

  test('has the cheapest first, with what was seen of each', () => {
    const rows = table.split('\n').filter((line) => line.startsWith('| replicas'))
    expect(rows).toEqual([
      '| replicas 1 | 25 | 1 | 8 s | no | 700 ms |',
      '| replicas 2 | 40 | 2 | 68 s | yes | 80 ms |',
    ])
  })

  test('says what it chose, and what looking took beside looking long at everything', () => {
    expect(table).toContain('carries 50/s of ping-webhook')
    expect(table).toContain('It measured for 76 s; every cell at full length is 120 s. Of the 1 cheaper ones 1 failed their last look.')
  })
})

describe('roles', () => {
  const workers = (index: number, replicas: number) => cell(index, { variant: 'n8n', matrix: { 'worker.replicas': replicas } })
  const summary = summarise([
    run({ experiment: { variants: [{ name: 'n8n', values: {} }], matrix: { 'worker.replicas': [1, 2] } } }),
    workers(0, 1), sample(0, T0, { process: 'worker-0', cpu: 0.2 }), step(0, 40),
    workers(1, 2), sample(1, T0, { process: 'worker-0', cpu: 0.2 }), sample(1, T0, { process: 'worker-1', cpu: 0.1, rss: 600 * 2 ** 20 }), step(1, 70),
    end(),
  ])

  test('says what each replica of a role took on average, and the most memory of any', () => {
    expect(tables.roles!(summary).split('\n').slice(2)).toEqual([
      '| 40/s | 1 × 200m, 500 MiB |',
      '| 70/s | 2 × 150m, 600 MiB |',
    ])
  })
})
