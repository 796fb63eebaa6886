import type { LoadStep, Part } from '../load/step.ts'
import type { Traffic } from '../model/traffic.ts'
import type { Running } from '../targets/target.ts'

/** What the generator calls: one workflow, or a mix of them. */
export function callsOf(
  { parts }: Traffic,
  { url, mainUrl = url }: Pick<Running, 'url' | 'mainUrl'>,
): Pick<LoadStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'> {
  const tables = parts.flatMap(({ workflow }) => workflow.tables)
  let before = 0
  const all = parts.map(({ workflow: { name, id, webhook, ...workflow }, weight }): Part => {
    const requests = workflow.requests.map(({ path, table, onMain, ...request }) => ({
      ...request,
      url: (onMain ? mainUrl : url) + path,
      table: table === null ? null : before + table,
    }))
    before += workflow.tables.length
    const base = webhook.onMain ? mainUrl : url
    return { workflow: name, id, url: base + webhook.path.split('?')[0]!, method: webhook.method, requests, weight }
  })
  const [first] = all as [Part]
  return {
    url: first.url,
    method: first.method,
    tables,
    ...(all.length > 1 ? { mix: all } : { requests: first.requests }),
  }
}
