import { parseAllDocuments } from 'yaml'
import { errors } from '../errors.ts'
import type { Container, HttpProbe, Image, Limits, Plan, Service, Volume, Workload } from './plan.ts'
import { parseQuantity } from './quantity.ts'

/** The part of a Kubernetes object that a plan is made from. */
interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
  spec?: any
  data?: Record<string, string>
  binaryData?: Record<string, string>
  stringData?: Record<string, string>
}

type Store = Map<string, Record<string, Buffer>>

const workloadKinds = new Set(['Deployment', 'StatefulSet'])

export function planFrom(rendered: string): Plan {
  const manifests = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null && !isTestHook(manifest)) as Manifest[]
  const stores = { ConfigMap: storeOf(manifests, 'ConfigMap'), Secret: storeOf(manifests, 'Secret') }
  return {
    workloads: manifests.filter(({ kind }) => workloadKinds.has(kind)).map((manifest) => workload(manifest, stores)),
    services: manifests.filter(({ kind }) => kind === 'Service').flatMap(servicesOf),
  }
}

function isTestHook({ metadata }: Manifest): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined
}

function storeOf(manifests: Manifest[], kind: string): Store {
  return new Map(manifests.filter((manifest) => manifest.kind === kind).map((manifest) => [manifest.metadata.name, contents(manifest)]))
}

function contents({ kind, data = {}, stringData = {}, binaryData = {} }: Manifest): Record<string, Buffer> {
  const decode = (map: Record<string, string>, encoding: BufferEncoding) =>
    Object.entries(map).map(([key, value]) => [key, Buffer.from(value, encoding)] as const)
  return Object.fromEntries([
    ...decode(data, kind === 'Secret' ? 'base64' : 'utf8'),
    ...decode(stringData, 'utf8'),
    ...decode(binaryData, 'base64'),
  ])
}

function workload({ kind, metadata, spec }: Manifest, stores: Record<'ConfigMap' | 'Secret', Store>): Workload {
  const pod = spec.template.spec
  const meta = { name: metadata.name, namespace: metadata.namespace ?? 'default' }
  const container = (given: any) => containerOf(given, stores, meta)
  const claims: Volume[] = (spec.volumeClaimTemplates ?? []).map((claim: Manifest) => ({
    name: claim.metadata.name,
    kind: 'claim',
    claim: `${claim.metadata.name}-${metadata.name}`,
  }))
  return {
    name: `${kind === 'StatefulSet' ? 'set' : 'deploy'}/${metadata.name}`,
    component: spec.template.metadata.labels['app.kubernetes.io/component'],
    replicas: spec.replicas ?? 1,
    init: (pod.initContainers ?? []).map(container),
    containers: pod.containers.map(container),
    volumes: [...(pod.volumes ?? []).map((volume: any) => volumeOf(volume, stores)), ...claims],
    grace: pod.terminationGracePeriodSeconds ?? 30,
  }
}

function containerOf(given: any, stores: Record<'ConfigMap' | 'Secret', Store>, meta: { name: string; namespace: string }): Container {
  return {
    name: given.name,
    image: imageOf(given.image),
    command: given.command ?? null,
    args: given.args ?? [],
    env: Object.fromEntries((given.env ?? []).flatMap((entry: any) => envOf(entry, stores, meta))),
    ports: (given.ports ?? []).map(({ name, containerPort }: any) => ({ name, port: containerPort })),
    limits: limitsOf(given.resources?.limits),
    mounts: (given.volumeMounts ?? []).map(({ mountPath, name, subPath }: any) => ({ path: mountPath, volume: name, subPath: subPath ?? null })),
    readiness: probeOf(given.readinessProbe),
  }
}

function imageOf(reference: string): Image {
  const colon = reference.lastIndexOf(':')
  return { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) }
}

/** Nothing for an optional reference to something that was not rendered. */
function envOf(entry: any, stores: Record<'ConfigMap' | 'Secret', Store>, meta: { name: string; namespace: string }): [string, string][] {
  const { name, value, valueFrom } = entry
  if (!valueFrom) return [[name, String(value ?? '')]]
  if (valueFrom.fieldRef) return [[name, field(valueFrom.fieldRef.fieldPath, meta)]]
  const kind = valueFrom.secretKeyRef ? 'Secret' : 'ConfigMap'
  const reference = valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef
  const content = stores[kind].get(reference.name)?.[reference.key]
  if (content) return [[name, content.toString()]]
  if (reference.optional) return []
  throw errors.notOnThisTarget(`${name} from the ${kind} "${reference.name}"`, `That ${kind} exists only in a cluster; give the value itself, or leave it to the chart.`)
}

function field(path: string, { name, namespace }: { name: string; namespace: string }): string {
  const known: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace, 'status.podIP': '127.0.0.1' }
  return known[path] ?? ''
}

function limitsOf(limits: { cpu?: string | number; memory?: string | number } = {}): Limits {
  const parsed = (quantity?: string | number) => (quantity === undefined ? null : parseQuantity(quantity))
  return { cpu: parsed(limits.cpu), memory: parsed(limits.memory) }
}

function probeOf(probe: any): HttpProbe | null {
  return probe?.httpGet ? { path: probe.httpGet.path, port: probe.httpGet.port } : null
}

function volumeOf(volume: any, stores: Record<'ConfigMap' | 'Secret', Store>): Volume {
  if (volume.persistentVolumeClaim) return { name: volume.name, kind: 'claim', claim: volume.persistentVolumeClaim.claimName }
  const source = volume.configMap ?? volume.secret
  if (!source) return { name: volume.name, kind: 'empty' }
  const store = volume.configMap ? stores.ConfigMap : stores.Secret
  const files = store.get(source.name ?? source.secretName) ?? {}
  const items: { key: string; path: string }[] | undefined = source.items
  const chosen = items?.flatMap(({ key, path }) => (files[key] ? [[path, files[key]] as const] : []))
  return { name: volume.name, kind: 'files', files: chosen ? Object.fromEntries(chosen) : files }
}

function servicesOf({ metadata, spec }: Manifest): Service[] {
  return spec.ports.map((port: any) => ({
    name: metadata.name,
    port: port.port,
    targetPort: port.targetPort ?? port.port,
    component: spec.selector?.['app.kubernetes.io/component'],
  }))
}
