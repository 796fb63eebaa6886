import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { worded } from '../../../loadtests/src/report/worded.ts'
import { T0, cell, run } from '../fixtures/records.ts'
import {
  callingRun,
  closedRun,
  explainedRun,
  matrixRun,
  mixedRun,
  quickRun,
  tiersRun,
  tuneRun,
  workersRun,
} from '../fixtures/runs.ts'
import { validatorOf } from '../fixtures/schema.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const validate = validatorOf('summary')

const neverReady: RunRecord[] = [
  run(),
  cell(0),
  { type: 'cell-failed', cell: 0, at: T0, code: 'never-ready', message: 'main-0 ended.', log: ['last words'] },
]

test.each([
  ['a comparison', quickRun()],
  ['tiers, one of which skipped a patch', tiersRun()],
  ['a matrix', matrixRun()],
  ['a closed shape', closedRun()],
  [
    'a gate',
    [
      ...quickRun().slice(0, 1),
      { type: 'gate', at: T0, bounds: { capacity: 0.08, memory: 0.15, cpu: 0.08 }, earlier: null },
      ...quickRun().slice(1),
    ] as RunRecord[],
  ],
  ['a matrix over replicas', workersRun()],
  ['settings left out', tuneRun()],
  ['a mix', mixedRun()],
  ['a run that was explained', explainedRun()],
  ['a run whose workflows call others', callingRun()],
  [
    'a run that looked into the heaps',
    quickRun().map((record) =>
      record.type === 'step' ? { ...record, keptHeaps: [{ process: 'main-0', before: 150, after: 151 }] } : record,
    ),
  ],
  ['an interrupted run', quickRun().slice(0, 90)],
  ['a cell that never got ready', neverReady],
])('the summary of %s is as its schema says', (_, records) => {
  // Through JSON, as a reader of summary.json gets it.
  validate(JSON.parse(JSON.stringify(worded(summarise(records)))))
  expect(validate.errors).toBeNull()
})

test('the schema refuses a figure that is not one', () => {
  const summary = JSON.parse(JSON.stringify(worded(summarise(quickRun()))))
  summary.results[0].capacity.rate = '113/s'
  expect(validate(summary)).toBe(false)
})
