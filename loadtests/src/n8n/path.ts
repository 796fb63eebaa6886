import type { Exported, ExportedNode } from './exported.ts'

/**
 * The main path of a workflow: where a node hands on by one of several outputs, the one that leads to the most nodes.
 * Requests and mocked answers are made so that it runs, and the rehearsal counts how much of it did.
 */
export interface MainPath {
  /** In the order in which n8n comes to them. */
  nodes: string[]
  /** Its last node: the one that most of the path leads to. */
  end: string | null
  /** Which of several outputs it takes: `node → the next one`. */
  branches: string[]
}

type Ends = ({ node: string }[] | null)[]

export const outputsOf = (name: string, { connections }: Exported): Ends =>
  (connections[name] as { main?: Ends } | undefined)?.main ?? []

/** Hands each item on by one of its outputs. */
const deciding = new Set(['if', 'switch', 'textClassifier', 'sentimentAnalysis', 'guardrails'])

/** The output that an error takes, where the node has one: the last that is connected beyond its own. */
const hasErrorOutput = (node: ExportedNode | undefined) =>
  (node as { onError?: string } | undefined)?.onError === 'continueErrorOutput'

export function mainPathOf(workflow: Exported, starts: string[]): MainPath {
  const nodes = new Map(workflow.nodes.map((node) => [node.name, node]))
  const path = new Set(starts.filter((name) => nodes.has(name)))
  const branches: string[] = []
  for (const name of path) {
    const node = nodes.get(name)!
    const outputs = outputsOf(name, workflow)
    const taken = decides(node) ? [branchOf(node, workflow)] : regularOf(node, outputs)
    for (const index of taken) {
      const next = (outputs[index] ?? []).filter((end) => nodes.has(end.node))
      if (decides(node) && next[0] && outputs.filter((ends) => ends?.length).length > 1)
        branches.push(`${name} → ${next[0].node}`)
      for (const end of next) path.add(end.node)
    }
  }
  return { nodes: [...path], end: lastOf([...path], workflow), branches }
}

export const decides = ({ type, disabled }: ExportedNode): boolean => !disabled && deciding.has(type.split('.').at(-1)!)

/** All but that of errors. */
const regularOf = (node: ExportedNode, outputs: Ends): number[] => {
  const last = hasErrorOutput(node) && outputs.length > 1 ? outputs.length - 1 : outputs.length
  return outputs.map((_, index) => index).slice(0, last)
}

/** Which output of a condition leads to more of the workflow. */
export function branchOf(node: ExportedNode, workflow: Exported): number {
  const outputs = outputsOf(node.name, workflow)
  const sizes = regularOf(node, outputs).map((index) => {
    const ends = outputs[index] ?? []
    // One that leads back to the condition is a loop, which has to end.
    const loops = ends.some((end) => end.node === node.name || reachedFrom(workflow, [end.node]).has(node.name))
    return loops ? 0.5 : Math.max(0, ...ends.map((end) => reachedFrom(workflow, [end.node]).size))
  })
  return sizes.length ? sizes.indexOf(Math.max(...sizes)) : 0
}

/** In the order in which n8n comes to them. */
export function reachedFrom(workflow: Exported, starts: string[]): Set<string> {
  const reached = new Set(starts)
  for (const name of reached)
    for (const ends of outputsOf(name, workflow)) for (const end of ends ?? []) reached.add(end.node)
  return reached
}

/** Of those that lead nowhere on the path, the one with the most of it before. A loop may have none. */
function lastOf(path: string[], workflow: Exported): string | null {
  const on = new Set(path)
  const leaves = path.filter((name) => !outputsOf(name, workflow).some((ends) => ends?.some((end) => on.has(end.node))))
  const before = (leaf: string) => path.filter((name) => reachedFrom(workflow, [name]).has(leaf)).length
  return leaves.map((leaf) => [leaf, before(leaf)] as const).sort((a, b) => b[1] - a[1])[0]?.[0] ?? path.at(-1) ?? null
}

/** Models, tools and parsers, which hand to a node by other connections than items. */
export const subNodesOf = (
  name: string,
  { connections }: Exported,
  counts: (kind: string) => boolean = () => true,
): string[] =>
  Object.entries(connections).flatMap(([from, kinds]) =>
    Object.entries(kinds as Record<string, Ends>).some(
      ([kind, ends]) => kind !== 'main' && counts(kind) && (ends ?? []).flat().some((end) => end?.node === name),
    )
      ? [from]
      : [],
  )
