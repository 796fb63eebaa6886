import type { Catalog } from '../../n8n/catalog.ts'
import type { Exported, ExportedNode } from '../exported.ts'
import { plainSample } from '../inferred/sample.ts'

/** `$vars.name` and `$vars['name']`. */
const variable = /\$vars\s*(?:(?:\?\.|\.)\s*([A-Za-z_]\w*)|(?:\?\.\s*)?\[\s*(['"`])(\w+)\2\s*\])/g

/**
 * The workflow with a made value in the place of each variable that it reads by name. n8n creates variables with a
 * license alone, so the n8n of the lab has none, and `$vars.name` would be undefined.
 */
export function withVariablesMade(workflow: Exported): { workflow: Exported; made: Map<string, string> } {
  const made = new Map<string, string>()
  const filled = (text: string) =>
    text.replace(variable, (_, plain: string | undefined, _quote, quoted: string | undefined) => {
      const name = (plain ?? quoted)!
      made.set(name, plainSample(name))
      return JSON.stringify(made.get(name))
    })
  const within = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return value.startsWith('=') || isCode.test(key) ? filled(value) : value
    if (Array.isArray(value)) return value.map((one) => within(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one, name)]))
  }
  const nodes = workflow.nodes.map((node) => ({
    ...node,
    parameters: within(node.parameters ?? {}) as Record<string, unknown>,
  }))
  return { workflow: { ...workflow, nodes }, made }
}

const isCode = /^(jsCode|functionCode)$/

/** What n8n says to `$env`, which it forbids unless told otherwise since 2.0. */
export const forbidsEnvironment = ({ version }: Pick<Catalog, 'version'>) => Number.parseInt(version) >= 2

/** Nodes with one output that hand on an item for each that they get. */
const handingOn = new Set(['set', 'noOp', 'dateTime', 'crypto', 'respondToWebhook'])

/** A node that is sure to run, and whose expressions are sure to read a variable of the environment. */
export function surelyReadsEnvironment(
  workflow: Exported,
  starts: string[],
  catalog: Pick<Catalog, 'parametersOf'>,
): { node: string; name: string } | null {
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
  for (const node of workflow.nodes) {
    if (!sure.has(node.name) || starts.includes(node.name) || node.disabled || isForgiving(node)) continue
    if (kindOf(node) === 'merge') continue
    const name = environmentIn(catalog.parametersOf(node))
    if (name !== null) return { node: node.name, name }
  }
  return null
}

const kindOf = ({ type }: ExportedNode) => type.split('.').at(-1)!

/** Its errors do not end the execution. */
const isForgiving = (node: ExportedNode) => {
  const { onError, continueOnFail } = node as { onError?: string; continueOnFail?: boolean }
  return continueOnFail === true || (onError ?? 'stopWorkflow') !== 'stopWorkflow'
}

/** The name of a variable that an expression reads whatever comes; an alternative may never be read. */
function environmentIn(value: unknown): string | null {
  if (typeof value === 'string') {
    if (!value.startsWith('=')) return null
    const [, name] = /\$env\s*(?:\.\s*|\[\s*['"`])(\w+)/.exec(value) ?? []
    const chooses = /&&|\?(?![.?])|=>/.test(value.replaceAll('??', '').replaceAll('?.', ''))
    return name !== undefined && !chooses ? name : null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const one of Object.values(value)) {
    const found = environmentIn(one)
    if (found !== null) return found
  }
  return null
}
