import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What an installed n8n says of its own types of nodes and credentials. */
export interface Catalog {
  /** Of that n8n. */
  version: string
  /** Null where no package of this n8n has the type, such as a community node. */
  node(type: string, version?: number): NodeType | null
  /** The newest version of a type that does not have the one asked for: n8n activates no workflow with such a node. */
  newestInsteadOf(type: string, version?: number): number | null
  /** With the fields of the types that it extends, its own last. */
  credential(name: string): CredentialType | null
  /** Whether it is, or extends, that type. */
  extends(name: string, ancestor: string): boolean
  /** All parameters of a node, with defaults for those that were not given. */
  parametersOf(node: NodeGiven): Values
  /** The credentials that a node asks for with its parameters. */
  credentialsAskedBy(node: NodeGiven): { name: string; required: boolean }[]
  /** Required parameters that are empty: n8n would not run the node. */
  emptyOf(node: NodeGiven): Property[]
  /** Why n8n would refuse to import the workflow; null where it would not, or does not check. */
  refusalOf(workflow: object): string | null
}

type Values = Record<string, unknown>

export interface NodeGiven {
  name: string
  type: string
  typeVersion?: number
  parameters?: Values
}

export interface Property {
  name: string
  displayName: string
  type: string
  default?: unknown
  placeholder?: string
  required?: boolean
  options?: { name: string; value?: unknown; values?: Property[] }[]
  displayOptions?: object
}

export interface NodeType {
  name: string
  displayName: string
  version: number | number[]
  inputs?: unknown
  properties: Property[]
  credentials?: { name: string; required?: boolean; displayOptions?: object }[]
}

export interface CredentialType {
  name: string
  displayName: string
  properties: Property[]
  extends?: string[]
}

/** The functions of n8n's own package that decide which parameters count. */
interface NodeHelpers {
  getNodeParameters(properties: Property[], values: Values, ...rest: unknown[]): Values | null
  displayParameterPath(values: Values, shown: object, path: string, ...rest: unknown[]): boolean
}

interface N8nWorkflow {
  NodeHelpers: NodeHelpers
  safeParseWorkflowStructure?: (
    workflow: object,
  ) => { success: true } | { success: false; issues: { path: (string | number)[] | string; message: string }[] }
}

const packages: [prefix: string, folder: string][] = [
  ['n8n-nodes-base', 'n8n-nodes-base'],
  ['@n8n/n8n-nodes-langchain', '@n8n/n8n-nodes-langchain'],
]

const opened = new Map<string, Catalog>()

/** `folder`: where that n8n is installed, with its node_modules. */
export function openCatalog(folder: string): Catalog {
  const known = opened.get(folder) ?? readCatalog(folder)
  opened.set(folder, known)
  return known
}

function readCatalog(folder: string): Catalog {
  const modules = join(folder, 'node_modules')
  const manifest = join(modules, 'n8n/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const { NodeHelpers: helpers, safeParseWorkflowStructure } = createRequire(manifest)('n8n-workflow') as N8nWorkflow
  const listed = <T>(kind: string) =>
    packages.flatMap(([prefix, place]) => {
      const file = join(modules, place, 'dist/types', `${kind}.json`)
      return existsSync(file) ? [[prefix, JSON.parse(readFileSync(file, 'utf8')) as T[]] as const] : []
    })
  const nodes = new Map<string, NodeType[]>()
  for (const [prefix, types] of listed<NodeType>('nodes'))
    for (const type of types) {
      // n8n 0.x lists them by their whole name.
      const name = type.name.startsWith(`${prefix}.`) ? type.name : `${prefix}.${type.name}`
      nodes.set(name, [...(nodes.get(name) ?? []), type])
    }
  const credentials = new Map(
    listed<CredentialType>('credentials').flatMap(([, types]) => types.map((type) => [type.name, type] as const)),
  )

  const ancestorsOf = (name: string): string[] => [...(credentials.get(name)?.extends ?? []).flatMap(ancestorsOf), name]

  function credential(name: string): CredentialType | null {
    const own = credentials.get(name)
    if (!own) return null
    const all = ancestorsOf(name).flatMap((one) => credentials.get(one)?.properties ?? [])
    return { ...own, properties: [...new Map(all.map((property) => [property.name, property])).values()] }
  }

  /** A version that this n8n does not have gets the newest. */
  function node(type: string, version?: number): NodeType | null {
    // Any node that can be a tool is one under this name.
    const all = nodes.get(type) ?? nodes.get(type.replace(/Tool$/, ''))
    if (!all?.length) return null
    const versions = (one: NodeType) => [one.version].flat()
    const exact = version === undefined ? undefined : all.find((one) => versions(one).includes(version))
    return exact ?? all.toSorted((a, b) => Math.max(...versions(b)) - Math.max(...versions(a)))[0]!
  }

  function newestInsteadOf(type: string, version?: number): number | null {
    const all = nodes.get(type) ?? []
    const versions = all.flatMap((one) => one.version)
    // A type with a single description runs whatever version a node names.
    return version === undefined || all.length < 2 || versions.includes(version) ? null : Math.max(...versions)
  }

  function parametersOf(given: NodeGiven): Values {
    const type = node(given.type, given.typeVersion)
    if (!type) return given.parameters ?? {}
    try {
      return (
        helpers.getNodeParameters(type.properties, given.parameters ?? {}, true, false, versioned(given), type)
        ?? given.parameters
        ?? {}
      )
    } catch {
      // A parameter of another kind than the type says is n8n's to refuse.
      return given.parameters ?? {}
    }
  }

  const shows = (given: NodeGiven, values: Values, what: object, type: NodeType) => {
    try {
      return helpers.displayParameterPath(values, what, '', versioned(given), type)
    } catch {
      return false
    }
  }

  return {
    version,
    node,
    newestInsteadOf,
    credential,
    extends: (name, ancestor) => ancestorsOf(name).includes(ancestor),
    parametersOf,
    credentialsAskedBy(given) {
      const type = node(given.type, given.typeVersion)
      if (!type) return []
      const values = parametersOf(given)
      const asked = (type.credentials ?? []).filter((one) => shows(given, values, one, type))
      return [
        ...asked.map(({ name, required = false, displayOptions }) => ({
          name,
          // One that a parameter chooses is asked for, whatever its type says.
          required: required || displayOptions !== undefined,
        })),
        ...namedIn(values),
      ]
    },
    emptyOf(given) {
      const type = node(given.type, given.typeVersion)
      if (!type) return []
      const values = parametersOf(given)
      return type.properties.filter(
        (property) => property.required && shows(given, values, property, type) && isEmpty(values[property.name]),
      )
    },
    refusalOf(workflow) {
      const result = safeParseWorkflowStructure?.(workflow)
      if (!result || result.success) return null
      const [first] = result.issues
      return first ? `${[first.path].flat().join('.')}: ${first.message}` : 'its structure is not valid'
    },
  }
}

const versioned = ({ typeVersion = 1 }: NodeGiven) => ({ typeVersion })

/** The HTTP Request node names the type itself. */
function namedIn({
  authentication,
  nodeCredentialType,
  genericAuthType,
}: Values): { name: string; required: boolean }[] {
  const name =
    authentication === 'predefinedCredentialType'
      ? nodeCredentialType
      : authentication === 'genericCredentialType'
        ? genericAuthType
        : undefined
  return typeof name === 'string' && name ? [{ name, required: true }] : []
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'object') return false
  if ('mappingMode' in value) {
    const { mappingMode, value: columns } = value as { mappingMode?: string; value?: object | null }
    return mappingMode === 'defineBelow' && Object.keys(columns ?? {}).length === 0
  }
  if ('__rl' in value) return isEmpty((value as { value?: unknown }).value)
  return Array.isArray(value) && value.length === 0
}
