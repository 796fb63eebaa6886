import type { Bridge } from '../model/bridge.ts'
import type { ExportedNode, Importable } from '../n8n/exported.ts'
import { branchOf, outputsOf, subNodesOf } from '../n8n/path.ts'
import { triggersOf } from '../n8n/address.ts'
import { fileKind } from './inferred/hints.ts'
import { passesItems, readsOf } from './inferred/reads.ts'
import { sampleOf, withoutFieldsIn } from './inferred/sample.ts'
import { readsWithin } from './services.ts'
import { answering, reading } from './made/nodes.ts'
import type { Workflow } from './workflow.ts'

/**
 * A node that fails is replaced for a run by one that gives what the nodes after it read. All others are as they were
 * exported. It needs no expression and no code, which would cost CPU that the node would not.
 */

/** The node to replace where one failed: the one that hands on items, if that was its model or its tool. */
export function toBridge(name: string, workflow: Importable): ExportedNode | null {
  const node = workflow.nodes.find((one) => one.name === name)
  if (!node) return null
  const root = workflow.nodes.find((one) => one.name !== name && subNodesOf(one.name, workflow).includes(name))
  // n8n runs one that lies on the way of items, whatever else it is.
  const isOnTheWay = Object.values(workflow.connections).some((kinds) =>
    ((kinds as { main?: ({ node: string }[] | null)[] }).main ?? []).some((ends) =>
      ends?.some((end) => end.node === name),
    ),
  )
  if (root && !isOnTheWay) return toBridge(root.name, workflow)
  return triggersOf(workflow).some((trigger) => trigger.node === name) ? null : node
}

/** The workflow with these nodes replaced. */
export function withBridges(workflow: Workflow, bridges: Pick<Bridge, 'node' | 'said'>[]): Workflow {
  const left = bridges.filter((one) => !isMade(one, workflow))
  if (left.length === 0) return workflow
  const main = left.reduce((so, { node }) => bridgedIn(so, node, workflow), workflow.imports.at(-1)!)
  return { ...workflow, imports: [...workflow.imports.slice(0, -1), main] }
}

/** Whether that stand-in is there from the start, since this n8n does not have the node. */
export const isMade = ({ node, said }: Pick<Bridge, 'node' | 'said'>, { made }: Workflow): boolean =>
  made?.bridged.some((one) => one.node === node && one.said === said) ?? false

/** What stands in for a node gives this. */
export function givenBy(name: string, workflow: Workflow): { gives: Bridge['gives']; item: object | null } {
  const [pinned] = workflow.pinned?.[name] ?? []
  if (pinned) return { gives: 'pinned', item: pinned.json ?? pinned }
  const original = workflow.imports.at(-1)!
  const node = original.nodes.find((one) => one.name === name)
  if (node && passesItems(node)) return { gives: 'input', item: null }
  const reads = readsOf(
    original,
    triggersOf(original).map(({ node }) => node),
  )
  const { json } = reads.outputOf(name)
  const sample = json.isRead || json.fields.size > 0 ? withoutFieldsIn(sampleOf(json, 0, undefined, true)) : null
  if (typeof sample !== 'object' || sample === null) return { gives: 'input', item: null }
  const item = Array.isArray(sample) ? (sample[0] as unknown) : sample
  return typeof item === 'object' && item !== null ? { gives: 'read', item } : { gives: 'input', item: null }
}

function bridgedIn(main: Importable, name: string, workflow: Workflow): Importable {
  const node = main.nodes.find((one) => one.name === name)
  if (!node) return main
  const outputs = outputsOf(name, main)
  // All go one way, by the branch that leads to most of the workflow.
  const next = outputs[outputs.length > 1 ? branchOf(node, main) : 0] ?? []
  const subs = subNodesOf(name, main)
  const connections = Object.fromEntries(
    Object.entries(main.connections)
      .filter(([from]) => from !== name)
      .map(([from, kinds]) => [from, subs.includes(from) ? withoutEnd(kinds as Kinds, name) : kinds]),
  )
  return {
    ...main,
    nodes: main.nodes.map((one) => (one.name === name ? standIn(node, workflow) : one)),
    connections: { ...connections, [name]: { main: [next] } },
  }
}

type Kinds = Record<string, ({ node: string }[] | null)[]>

/** A model or tool of its own has nothing to do any more. */
const withoutEnd = (kinds: Kinds, name: string): Kinds =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, outputs]) => [
      kind,
      kind === 'main' ? outputs : outputs.map((ends) => ends?.filter((end) => end.node !== name) ?? null),
    ]),
  )

function standIn(node: ExportedNode, workflow: Workflow): ExportedNode {
  const place = { id: node.id, name: node.name, position: node.position, type: '', parameters: {} }
  // A caller waits for its answer.
  if (node.type.endsWith('.respondToWebhook'))
    return {
      ...node,
      typeVersion: 1.1,
      parameters: { respondWith: 'json', responseBody: '{"ok": true}', options: {} },
    }
  const main = workflow.imports.at(-1)!
  const { item } = givenBy(node.name, workflow)
  const { binary } = readsOf(
    main,
    triggersOf(main).map((trigger) => trigger.node),
  ).outputOf(node.name)
  const passesFiles = readsWithin(node)
  if (binary.size > 0 && !passesFiles && workflow.made)
    return reading({ ...place, typeVersion: 1 }, `sample.${fileKind(node.name, main)}`, [...binary][0]).node
  if (item === null) return { ...place, type: 'n8n-nodes-base.noOp', typeVersion: 1 }
  return answering(place, item, passesFiles)
}
