import type { Counts } from '../../../loadtests/src/judge/accounting.ts'
import { disagreements, type Disagreement } from '../../../loadtests/src/judge/agreement.ts'
import type { Tally } from '../../../loadtests/src/n8n/executions.ts'

interface Given {
  finished?: number
  failed?: number
  metrics?: number
  metricsFailed?: number
  added?: number
}

const counts = (succeeded: number, failed: number, added: number): Counts => ({
  executions: { started: succeeded + failed, succeeded, failed },
  underWay: 0,
  database: { newest: 500, open: 0 },
  queue: { added, waiting: 0, active: 0, keys: 0 },
})

const tally = (finished: number, failed: number): Tally => ({
  by: { a: { finished, failed, crashed: 0, open: 0, unknown: 0 } },
  gone: 0,
  others: 0,
  names: { crashed: [], open: [] },
})

function between(given: Given, { alone = true, more = {} as Partial<Tally> } = {}): Disagreement[] {
  const { finished = 0, failed = 0, metrics = finished, metricsFailed = failed, added = finished + failed } = given
  return disagreements(
    counts(2, 0, 70),
    counts(2 + metrics, metricsFailed, 70 + added),
    { ...tally(finished, failed), ...more },
    alone,
  )
}

test('counts that say the same of the executions between them agree, whatever they began with', () => {
  expect(between({ finished: 100, failed: 3 })).toEqual([])
})

test.each([
  ['finished', { finished: 100, metrics: 98 }, { database: 100, other: 98 }],
  ['failed', { failed: 2, metricsFailed: 0 }, { database: 2, other: 0 }],
  ['begun', { finished: 100, added: 101 }, { database: 100, other: 101 }],
] as const)('a difference in those that %s has both figures', (of, given, figures) => {
  expect(between(given)).toEqual([{ code: 'counts-differ', of, ...figures }])
})

test('metrics that count no executions at all have no figures', () => {
  const none = { ...counts(0, 0, 170), executions: { started: 0, succeeded: 0, failed: 0 } }
  expect(disagreements(counts(0, 0, 70), none, tally(100, 0), true)).toEqual([{ code: 'workers-uncounted' }])
})

test('the metrics count sub-workflows and others too, and sub-workflows do not go through the queue', () => {
  const given = { finished: 140, metrics: 280, added: 100 }
  expect(between(given)).toHaveLength(2)
  expect(between(given, { alone: false })).toEqual([])
})

test('what n8n does not keep is not compared, and the calls of others are', () => {
  expect(between({ finished: 20, metrics: 100, added: 100 }, { more: { gone: 80 } })).toEqual([])
  expect(between({ finished: 90, metrics: 100, added: 100 }, { more: { others: 10 } })).toEqual([])
})

test('in regular mode there is no queue to agree with', () => {
  const [before, after] = [counts(0, 0, 0), counts(9, 0, 0)].map((each) => ({ ...each, queue: null }))
  expect(disagreements(before!, after!, tally(9, 0), true)).toEqual([])
})

test('where the database cannot be asked, nothing is compared', () => {
  expect(disagreements(counts(0, 0, 0), counts(9, 0, 1), null, true)).toEqual([])
})
