import type { Catalog } from '../../n8n/catalog.ts'
import type { Exported } from '../../n8n/exported.ts'
import { plainSample } from '../inferred/sample.ts'
import { sureToRun } from './sure.ts'

/** `$vars.name` and `$vars['name']`, and the same of `$env`. */
const variable = /\$(vars|env)\s*(?:(?:\?\.|\.)\s*([A-Za-z_]\w*)|(?:\?\.\s*)?\[\s*(['"`])(\w+)\3\s*\])/g

/**
 * The workflow with a made value in the place of each variable that it reads by name. n8n creates variables with a
 * license alone, so the n8n of the lab has none, and `$vars.name` would be undefined. `environment`: also in the place
 * of `$env.name`, which n8n forbids, so that each execution would end there.
 */
export function withVariablesMade(
  workflow: Exported,
  { environment = false }: { environment?: boolean } = {},
): { workflow: Exported; made: Map<string, string> } {
  const made = new Map<string, string>()
  const filled = (text: string) =>
    text.replace(variable, (whole, of: string, plain: string | undefined, _quote, quoted: string | undefined) => {
      if (of === 'env' && !environment) return whole
      const name = (plain ?? quoted)!
      made.set(`$${of}.${name}`, plainSample(name))
      return JSON.stringify(plainSample(name))
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

/** A node that is sure to run, and whose expressions are sure to read a variable of the environment. */
export function surelyReadsEnvironment(
  workflow: Exported,
  starts: string[],
  catalog: Pick<Catalog, 'parametersOf'>,
): { node: string; name: string } | null {
  for (const node of sureToRun(workflow, starts)) {
    const name = environmentIn(catalog.parametersOf(node))
    if (name !== null) return { node: node.name, name }
  }
  return null
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
