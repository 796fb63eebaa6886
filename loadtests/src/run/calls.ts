import type { Running } from '../targets/target.ts'
import type { PlannedPart, PlannedStep } from '../model/step.ts'
import type { Traffic } from '../workload/traffic.ts'

/** What the generator calls: one workflow, or a mix of them. */
export function callsOf(
  { parts }: Traffic,
  { url, mainUrl = url }: Pick<Running, 'url' | 'mainUrl'>,
): Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'> {
  const tables = parts.flatMap(({ workflow }) => workflow.tables)
  let before = 0
  const all = parts.map(({ workflow: { name, id, webhook, ...workflow }, weight }): PlannedPart => {
    const requests = workflow.requests.map(({ path, table, onMain, ...request }) => ({
      ...request,
      url: (onMain ? mainUrl : url) + path,
      table: table === null ? null : before + table,
    }))
    before += workflow.tables.length
    const base = webhook.onMain ? mainUrl : url
    return { workflow: name, id, url: base + webhook.path.split('?')[0]!, method: webhook.method, requests, weight }
  })
  const [first] = all as [PlannedPart]
  return {
    url: first.url,
    method: first.method,
    tables,
    ...(all.length > 1 ? { mix: all } : { requests: first.requests }),
  }
}
