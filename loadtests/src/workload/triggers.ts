import { addressOf, type Address } from './address.ts'
import type { Exported, PinnedItem } from './exported.ts'

/** A node at which a workflow is called. */
export interface Trigger extends Address {
  node: string
  credential: { id: string; name: string } | null
  pinned: PinnedItem[]
}

/** All nodes at which callers from outside reach a workflow. */
export const triggersOf = (workflow: Exported): Trigger[] =>
  workflow.nodes.flatMap((node) => {
    const address = node.disabled ? null : addressOf(node, workflow)
    if (!address) return []
    const [credential] = Object.values(node.credentials ?? {})
    return [
      {
        ...address,
        node: node.name,
        credential: credential
          ? { id: String(credential.id ?? ''), name: credential.name ?? String(credential.id) }
          : null,
        pinned: workflow.pinData?.[node.name] ?? [],
      },
    ]
  })

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The parameters in a path, if it is the trigger's path; `/webhook-test/` is the editor's name for the same. */
export function paramsIn(path: string, trigger: Trigger): Record<string, string> | null {
  const names: string[] = []
  const pattern = trigger.path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return escaped(part)
      names.push(part.slice(1))
      return '([^/]+)'
    })
    .join('/')
  const match = new RegExp(`${pattern}$`).exec(path.replace('/webhook-test/', '/webhook/').replace(/\/$/, ''))
  return match && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]))
}
