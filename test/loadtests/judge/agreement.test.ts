import type { Counts } from '../../../loadtests/src/judge/accounting.ts'
import { disagreements } from '../../../loadtests/src/judge/agreement.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index))
const counts = ({
  finished = 0,
  failed = 0,
  begun = finished + failed,
  metrics = finished,
  metricsFailed = failed,
  added = begun,
}: Partial<Record<'finished' | 'failed' | 'begun' | 'metrics' | 'metricsFailed' | 'added', number>>): Counts => ({
  executions: { started: begun, succeeded: metrics, failed: metricsFailed },
  underWay: 0,
  database: { begun, finished, failed: ids(failed), crashed: [], open: [] },
  queue: { added, waiting: 0, active: 0, keys: 0 },
})

test('counts that say the same of the executions between them agree, whatever they began with', () => {
  expect(
    disagreements(
      counts({ finished: 5, metrics: 2, added: 70 }),
      counts({ finished: 105, failed: 3, metrics: 102, added: 173 }),
    ),
  ).toEqual([])
})

test.each([
  ['finished', { finished: 100, metrics: 98 }, 'n8n’s database counts 100 executions finished, its metrics 98.'],
  ['failed', { failed: 2, metricsFailed: 0 }, 'n8n’s database counts 2 executions failed, its metrics 0.'],
  ['begun', { finished: 100, added: 101 }, 'n8n’s database counts 100 executions begun, its queue 101.'],
])('a difference in those that %s is said with both figures', (_, after, sentence) => {
  expect(disagreements(counts({}), counts(after))).toEqual([sentence])
})

test('metrics that count no executions at all are said to, without figures', () => {
  const none = { ...counts({ finished: 100 }), executions: { started: 0, succeeded: 0, failed: 0 } }
  expect(disagreements(counts({}), none)).toEqual([expect.stringContaining('count no executions of workers')])
})

test('executions of sub-workflows do not go through the queue', () => {
  const [before, after] = [counts({}), counts({ finished: 140, added: 100 })]
  expect(disagreements(before, after)).toHaveLength(1)
  expect(disagreements(before, after, { nested: true })).toEqual([])
})

test('in regular mode there is no queue to agree with', () => {
  expect(disagreements({ ...counts({}), queue: null }, { ...counts({ finished: 9, added: 0 }), queue: null })).toEqual(
    [],
  )
})

test('where the database cannot be asked, nothing is compared', () => {
  expect(
    disagreements({ ...counts({}), database: null }, { ...counts({ finished: 9, metrics: 1 }), database: null }),
  ).toEqual([])
})
