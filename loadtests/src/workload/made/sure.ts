import { Script } from 'node:vm'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'

/** Nodes with one output that hand on an item for each that they get. */
const handingOn = new Set(['set', 'noOp', 'dateTime', 'crypto', 'respondToWebhook'])

/** Nodes that run in each execution, and whose errors end it. The start is none of them. */
export function sureToRun(workflow: Exported, starts: string[]): ExportedNode[] {
  const ends = (name: string) => {
    const outputs = (workflow.connections[name] as { main?: ({ node: string }[] | null)[] } | undefined)?.main ?? []
    return outputs.length === 1 ? (outputs[0] ?? []).map((end) => end.node) : []
  }
  const sure = new Set(starts)
  for (const name of sure) {
    const node = workflow.nodes.find((one) => one.name === name)
    if (!node || (!starts.includes(name) && !handingOn.has(kindOf(node)))) continue
    for (const end of ends(name)) sure.add(end)
  }
  return workflow.nodes.filter(
    (node) =>
      sure.has(node.name)
      && !starts.includes(node.name)
      && !node.disabled
      && !isForgiving(node)
      && kindOf(node) !== 'merge',
  )
}

const kindOf = ({ type }: ExportedNode) => type.split('.').at(-1)!

/** Its errors do not end the execution. */
const isForgiving = (node: ExportedNode) => {
  const { onError, continueOnFail } = node as { onError?: string; continueOnFail?: boolean }
  return continueOnFail === true || (onError ?? 'stopWorkflow') !== 'stopWorkflow'
}

/** A node that is sure to run, and whose code is no JavaScript. It is compiled as n8n does, and not run. */
export function surelyBrokenCode(workflow: Exported, starts: string[]): { node: string; says: string } | null {
  for (const node of sureToRun(workflow, starts)) {
    const { jsCode, language = 'javaScript' } = node.parameters ?? {}
    if (kindOf(node) !== 'code' || language !== 'javaScript' || typeof jsCode !== 'string') continue
    try {
      new Script(`(async function () {${jsCode}\n})`)
    } catch (error) {
      return { node: node.name, says: (error as Error).message }
    }
  }
  return null
}
