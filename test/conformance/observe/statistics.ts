import type { Row } from '../database.ts'

/**
 * On PostgreSQL n8n notes each execution, and adds the notes to its statistics at moments of its own. This adds those
 * that are left, as n8n does, so that the moment of a look does not count.
 */
export function withNotesAdded({ workflow_statistics_delta: notes = [], ...tables }: Record<string, Row[]>) {
  const statistics = (tables.workflow_statistics ?? []).map((row) => ({ ...row }))
  for (const { id, workflowId, name, workflowName, createdAt, rootCountDelta } of notes) {
    const known = statistics.find((one) => one.workflowId === workflowId && one.name === name)
    const row: Row = known ?? { count: 0, latestEvent: createdAt, name, workflowId, rootCount: 0, id }
    if (!known) statistics.push(row)
    row.count = String(Number(row.count) + 1)
    row.rootCount = String(Number(row.rootCount) + Number(rootCountDelta))
    row.workflowName = workflowName
  }
  return tables.workflow_statistics ? { ...tables, workflow_statistics: statistics } : tables
}
