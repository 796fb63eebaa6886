import type { Row } from '../database.ts'

/** Ids that this side's n8n has made, and the names that they have on both sides. */
export interface Known {
  /** `workflow#2` is its second execution. */
  executions: Map<string, string>
  /** Of projects, users and whatever else has a random one: the table it is in, or the key that it was seen under. */
  ids: Map<string, string>
  anyId: RegExp
  /** Rows of insights_metadata, which others refer to by number: the workflow that they are of. */
  insights: Map<string, string>
}

export function learn(tables: Record<string, Row[]>, others: unknown): Known {
  const ids = new Map<string, string>()
  for (const [table, rows] of Object.entries(tables))
    for (const { id } of rows) if (isRandom(id)) ids.set(id, `<${table}>`)
  // For rows that are no longer in any table.
  for (const [, key, id] of JSON.stringify(others).matchAll(/\b(\w*id)\\*":\s*\\*"(\w{16,22})\\*"/gi))
    if (isRandom(id) && !ids.has(id)) ids.set(id, `<${key}>`)
  const insights = (tables.insights_metadata ?? []).map(
    ({ metaId, workflowId }) => [String(metaId), String(workflowId)] as const,
  )
  const anyId = new RegExp([...ids.keys()].join('|') || '(?!)', 'g')
  return { executions: nameExecutions(tables.execution_entity ?? []), ids, anyId, insights: new Map(insights) }
}

function nameExecutions(rows: Row[]): Map<string, string> {
  const counts: Record<string, number> = {}
  const names = [...rows]
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ id, workflowId }) => {
      const count = (counts[String(workflowId)] = (counts[String(workflowId)] ?? 0) + 1)
      return [String(id), `${workflowId}#${count}`] as const
    })
  return new Map(names)
}

/** As nanoid makes them; cases name their own in small letters and hyphens. */
const isRandom = (id: unknown): id is string => typeof id === 'string' && /^\w{16,22}$/.test(id) && /\d|[A-Z]/.test(id)
