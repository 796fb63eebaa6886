import { usage } from '../lib/errors.ts'
import type { Manifest } from './objects.ts'

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
