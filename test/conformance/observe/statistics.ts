import type { Row } from '../database.ts'

/**
 * On PostgreSQL n8n notes each execution by itself, and adds those notes to its statistics at moments of its own. So
 * that only their sum counts, all are added here, as n8n adds them.
 */
export function withAllAdded({ workflow_statistics_delta: notes = [], ...tables }: Record<string, Row[]>) {
  const statistics = (tables.workflow_statistics ?? []).map((row) => ({ ...row }))
  for (const { id, workflowId, name, workflowName, createdAt, rootCountDelta } of notes) {
    let row = statistics.find((one) => one.workflowId === workflowId && one.name === name)
    if (!row) statistics.push((row = { count: 0, latestEvent: createdAt, name, workflowId, rootCount: 0, id }))
    row.count = String(Number(row.count) + 1)
    row.rootCount = String(Number(row.rootCount) + Number(rootCountDelta))
    row.workflowName = workflowName
  }
  return tables.workflow_statistics ? { ...tables, workflow_statistics: statistics } : tables
}
