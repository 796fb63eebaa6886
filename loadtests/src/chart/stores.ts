import { usage } from '../lib/errors.ts'
import type { Manifest, PodContainer, EnvVariable, VariableSource } from './objects.ts'

/** The rendered ConfigMaps and Secrets: name → key → content. */
export type Stores = Record<StoreKind, Map<string, Content>> & {
  /** Variables from Secrets stay empty here: the target that runs the plan fills them in. */
  secretsElsewhere: boolean
}
type StoreKind = 'ConfigMap' | 'Secret'
type Content = Record<string, Buffer>

export function storesOf(manifests: Manifest[], secretsElsewhere: boolean): Stores {
  const of = (kind: StoreKind) =>
    new Map(
      manifests
        .filter((manifest) => manifest.kind === kind)
        .map((manifest) => [manifest.metadata.name, contents(manifest)]),
    )
  return { ConfigMap: of('ConfigMap'), Secret: of('Secret'), secretsElsewhere }
}

function contents({ kind, data = {}, stringData = {}, binaryData = {} }: Manifest): Content {
  const decode = (map: Record<string, string>, encoding: BufferEncoding) =>
    Object.entries(map).map(([key, value]) => [key, Buffer.from(value, encoding)] as const)
  return Object.fromEntries([
    ...decode(data, kind === 'Secret' ? 'base64' : 'utf8'),
    ...decode(stringData, 'utf8'),
    ...decode(binaryData, 'base64'),
  ])
}

/** The content that a container or volume refers to; nothing if the reference is optional and was not rendered. */
export function referred(
  stores: Stores,
  kind: StoreKind,
  reference: { name: string; key?: string; optional?: boolean },
  what: string,
): Content {
  const content = stores[kind].get(reference.name)
  if (content && (reference.key === undefined || content[reference.key])) return content
  if (reference.optional) return {}
  throw usage(
    'not-on-this-target',
    `Expected a plan that runs on one machine, got ${what} from the ${kind} "${reference.name}".`,
    `That ${kind} exists only in a cluster: leave out the value that names it.`,
  )
}

/** A container's environment as its pod would see it; `env` overrides `envFrom`. */
export function envOf(
  { env = [], envFrom = [] }: PodContainer,
  stores: Stores,
  meta: { name: string; namespace: string },
): Record<string, string> {
  return Object.fromEntries([
    ...envFrom.flatMap((source) => sourced(source, stores)),
    ...env.flatMap((entry) => variable(entry, stores, meta)),
  ])
}

/** The variables whose values come from Secrets. */
export function secretsOf({ env = [], envFrom = [] }: PodContainer, stores: Stores): string[] {
  const sources = envFrom
    .filter(({ secretRef }) => secretRef)
    .flatMap((source) => sourced(source, stores).map(([name]) => name))
  return [...sources, ...env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name)]
}

function sourced({ prefix = '', secretRef, configMapRef }: VariableSource, stores: Stores): [string, string][] {
  const content = referred(stores, secretRef ? 'Secret' : 'ConfigMap', (secretRef ?? configMapRef)!, 'environment')
  return Object.entries(content).map(([key, value]) => [prefix + key, value.toString()])
}

function variable(
  { name, value, valueFrom }: EnvVariable,
  stores: Stores,
  meta: { name: string; namespace: string },
): [string, string][] {
  if (!valueFrom) return [[name, String(value ?? '')]]
  if (valueFrom.fieldRef) return [[name, field(valueFrom.fieldRef.fieldPath, meta)]]
  // Of its own container's limits: no process here has a container.
  if (valueFrom.resourceFieldRef) return []
  if (valueFrom.secretKeyRef && stores.secretsElsewhere) return []
  const reference = (valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef)!
  const content = referred(stores, valueFrom.secretKeyRef ? 'Secret' : 'ConfigMap', reference, name)[reference.key]
  return content ? [[name, content.toString()]] : []
}

function field(path: string, { name, namespace }: { name: string; namespace: string }): string {
  const known: Record<string, string> = {
    'metadata.name': name,
    'metadata.namespace': namespace,
    'status.podIP': '127.0.0.1',
  }
  return known[path] ?? ''
}
