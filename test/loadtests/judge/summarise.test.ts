import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { T0, cell, end, exited, run, step, visited } from '../fixtures/records.ts'
import { quickRun } from '../fixtures/runs.ts'

test('a run without an end was interrupted, and keeps what was measured', () => {
  const summary = summarise([run(), cell(0), step(0, 50)])
  expect(summary).toMatchObject({ outcome: 'interrupted', endedAt: null })
  expect(summary.results[0].capacity).toMatchObject({ rate: 50 })
})

test('a run that was stopped before its first cell has no results', () => {
  expect(summarise([run()])).toMatchObject({ results: [], comparison: [], recommendation: null })
})

test('a cell without steps is a result without a capacity', () => {
  expect(summarise([run(), cell(0)]).results).toMatchObject([
    { capacity: null, steps: [], verdict: { holds: false, reasons: [] } },
  ])
})

test('every prefix of a run can be summarised', () => {
  const records = quickRun({ repeat: 2 })
  for (let length = 1; length <= records.length; length += 17) {
    expect(() => summarise(records.slice(0, length))).not.toThrow()
  }
})

test('a repeat that was cut short does not pull down the others', () => {
  const records = [run(), cell(0), step(0, 100, { repeat: 1 }), visited(0, 1), step(0, 10, { repeat: 2 })]
  expect(summarise(records).results[0].capacity).toMatchObject({ rate: 100, repeats: [100] })
})

test('one that was finished before the run was stopped counts', () => {
  const records = [
    run(),
    cell(0),
    step(0, 100, { repeat: 1 }),
    visited(0, 1),
    step(0, 90, { repeat: 2 }),
    visited(0, 2),
    end('interrupted'),
  ]
  expect(summarise(records).results[0].capacity).toMatchObject({ repeats: [100, 90] })
})

test('cells of the same variant, workflow and matrix are one result', () => {
  const { results } = summarise([
    run(),
    cell(0),
    step(0, 50, { repeat: 1 }),
    cell(1),
    step(1, 60, { repeat: 2 }),
    end(),
  ])
  expect(results).toHaveLength(1)
  expect(results[0].capacity).toMatchObject({ repeats: [50, 60] })
})

test('exits are kept without their logs, and an orderly stop is none', () => {
  const { exits } = summarise([run(), cell(0), exited(0, 'oom-killed', T0 + 1), exited(0, 'stopped'), end()]).results[0]
  expect(exits).toEqual([{ process: 'main-0', at: T0 + 1, reason: 'oom-killed', code: null, signal: 'SIGKILL' }])
})

test('calibration and warnings of the run join its environment', () => {
  const records = [
    run({ environment: { warnings: ['limits not enforced'] } }),
    { type: 'calibration', at: T0, rate: 9000, p95: 3 } as const,
    { type: 'calibration', at: T0 + 1, rate: 8900, p95: 5 } as const,
    { type: 'warning', at: T0, warning: 'The machine was busy.' } as const,
    end(),
  ]
  expect(summarise(records).environment).toMatchObject({
    calibration: { rate: 8950, p95: 4, rates: [9000, 8900] },
    warnings: ['limits not enforced', 'The machine was busy.'],
  })
})

test('records that do not begin with a run are refused', () => {
  expect(() => summarise([end()])).toThrow('Expected a record of type "run", got "end" first')
})
