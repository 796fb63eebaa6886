import type { Catalog, Property } from '../../n8n/catalog.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import { plainSample } from '../inferred/sample.ts'

/**
 * Exports that were made public have their documents, chats and channels taken out, and n8n refuses to run a node
 * without them. The mock takes any.
 */
export function withBlanksFilled(workflow: Exported, catalog: Catalog): { workflow: Exported; filled: string[] } {
  const filled: string[] = []
  const nodes = workflow.nodes.map(withSchemas).map((node) => {
    if (node.disabled) return node
    const empty = catalog.emptyOf(node).flatMap((property) => {
      const value = valueFor(property, node)
      return value === undefined ? [] : [[property, value] as const]
    })
    if (!empty.length) return node
    filled.push(`"${node.name}" (${empty.map(([{ displayName }]) => displayName).join(', ')})`)
    return {
      ...node,
      parameters: { ...node.parameters, ...Object.fromEntries(empty.map(([{ name }, value]) => [name, value])) },
    }
  })
  return { workflow: { ...workflow, nodes }, filled }
}

/** n8n asks for the columns as it saw them, which files written by hand or by an earlier n8n do not have. */
function withSchemas(node: ExportedNode): ExportedNode {
  if (!node.parameters) return node
  const parameters = Object.entries(node.parameters).map(([name, given]) => {
    if (typeof given !== 'object' || given === null || !('mappingMode' in given)) return [name, given]
    const { value, schema } = given as { value?: object | null; schema?: unknown[] }
    if (schema?.length || !value || Object.keys(value).length === 0) return [name, given]
    return [name, { ...given, schema: Object.keys(value).map(columnOf) }]
  })
  return { ...node, parameters: Object.fromEntries(parameters) as Record<string, unknown> }
}

const columnOf = (id: string) => ({
  id,
  displayName: id,
  type: 'string',
  required: false,
  defaultMatch: false,
  display: true,
  canBeUsedToMatch: true,
})

function valueFor({ name, type, options }: Property, { parameters = {} }: ExportedNode): unknown {
  const given = parameters[name]
  switch (type) {
    case 'resourceLocator': {
      const mode = (given as { mode?: string } | undefined)?.mode
      // A URL has to have the form that the node takes an id from.
      // A sheet is named by its number.
      const value = name === 'sheetName' ? '0' : name === 'dataTableId' ? 'mock' : `mock-${name}`
      return { __rl: true, mode: mode && mode !== 'url' ? mode : 'id', value }
    }
    case 'options':
      // A list that the editor asks the service for has no values here.
      return options?.find(({ value }) => value !== undefined && value !== '')?.value ?? '1001'
    case 'string':
      return plainSample(name)
    case 'number':
      return 1
    case 'multiOptions':
      return options?.slice(0, 1).map(({ value }) => value)
    case 'resourceMapper':
      // Columns that nobody chose are those of what comes.
      return { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] }
    case 'json':
      return '{}'
    default:
      return undefined
  }
}
