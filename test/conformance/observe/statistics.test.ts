import { expect, test } from '@jest/globals'
import { withNotesAdded } from './statistics.ts'

const latestEvent = new Date()
const row = (workflowId: string, count: string, rootCount: string) => ({
  count,
  latestEvent,
  name: 'production_success',
  workflowId,
  rootCount,
  id: 1,
  workflowName: workflowId,
})
const note = (workflowId: string, rootCountDelta: number) => ({
  id: 1,
  workflowId,
  name: 'production_success',
  rootCountDelta,
  createdAt: latestEvent,
  workflowName: workflowId,
})

test('statistics are the same before n8n has added an execution to them and after', () => {
  const before = withNotesAdded({
    workflow_statistics: [row('a', '2', '1')],
    workflow_statistics_delta: [note('a', 1), note('b', 0)],
  })
  const after = withNotesAdded({
    workflow_statistics: [row('a', '3', '2'), row('b', '1', '0')],
    workflow_statistics_delta: [],
  })
  expect(JSON.stringify(before)).toBe(JSON.stringify(after))
})

test('an n8n without such notes keeps its tables', () => {
  const tables = { workflow_statistics: [row('a', '2', '1')], role: [] }
  expect(withNotesAdded(tables)).toEqual(tables)
})
