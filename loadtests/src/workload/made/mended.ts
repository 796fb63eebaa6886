import { list } from '../../lib/figures.ts'
import type { Catalog } from '../../n8n/catalog.ts'
import type { Exported } from '../../n8n/exported.ts'

/** Faults of a file that n8n would refuse, and that cost nothing of what it does. `said`: takes a sentence of each. */

/** Without the connections that begin or end at no node: n8n's editor shows none, and its import refuses them. */
export function withoutLooseEnds(workflow: Exported, said: Set<string>): Exported {
  const names = new Set(workflow.nodes.map(({ name }) => name))
  const loose = new Set<string>()
  const has = (name: string) => {
    if (!names.has(name)) loose.add(name)
    return names.has(name)
  }
  const connections = Object.fromEntries(
    Object.entries(workflow.connections as Connections)
      .filter(([from]) => has(from))
      .map(([from, kinds]) => [
        from,
        Object.fromEntries(
          Object.entries(kinds).map(([kind, outputs]) => [
            kind,
            outputs.map((ends) => ends?.filter((end) => has(end.node)) ?? null),
          ]),
        ),
      ]),
  )
  if (loose.size === 0) return workflow
  const some = list([...loose].slice(0, 3).map((name) => `"${name}"`))
  const more = loose.size > 3 ? ` and ${loose.size - 3} more` : ''
  said.add(`Left out of "${workflow.name}": connections of ${some}${more}, since the file has no such node.`)
  return { ...workflow, connections }
}

type Connections = Record<string, Record<string, ({ node: string }[] | null)[]>>

/** n8n activates no workflow with a node of a version that is newer than itself. */
export function withVersionsThere(workflow: Exported, catalog: Catalog, said: Set<string>): Exported {
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => {
      const newest = node.disabled ? null : catalog.newestInsteadOf(node.type, node.typeVersion)
      if (newest === null) return node
      said.add(
        `"${node.name}": version ${newest} takes the place of version ${node.typeVersion}, since n8n `
          + `${catalog.version} has none that is newer.`,
      )
      return { ...node, typeVersion: newest }
    }),
  }
}
