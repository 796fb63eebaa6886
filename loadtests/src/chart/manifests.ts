import { randomBytes } from 'node:crypto'
import { yamlDocuments } from '../lib/yaml.ts'
import { kubernetesName, mountPath, pathWithin } from '../lib/names.ts'
import { parseQuantity } from '../lib/quantity.ts'
import { envOf, referred, secretsOf, storesOf, type Stores } from './stores.ts'
import type { Manifest, PodContainer, PodProbe, PodVolume, RunsPods, Security, ServiceSpec } from './objects.ts'
import type { Container, Image, Plan, Probe, Service, User, Volume, Workload } from './plan.ts'
import type { Limit } from '../model/result.ts'
import type { Tier } from '../model/tier.ts'

type Running = Manifest<RunsPods> & { spec: RunsPods }
type ServiceManifest = Manifest<ServiceSpec> & { spec: ServiceSpec }

const workloadKinds = new Set(['Deployment', 'StatefulSet'])

export interface Reading {
  /** Leaves out variables from Secrets, which need not be rendered. */
  secretsElsewhere?: boolean
}

export function planFrom(rendered: string, { secretsElsewhere = false }: Reading = {}): Omit<Plan, 'values'> {
  const all = yamlDocuments(rendered)
    .map(({ value }) => value as Manifest | null)
    .filter((manifest) => manifest !== null)
  const manifests = all.filter((manifest) => !isHook(manifest))
  const stores = storesOf([...manifests, ...generatedSecrets(all)], secretsElsewhere)
  const running = manifests.filter(({ kind }) => workloadKinds.has(kind)) as Running[]
  const workloads = running.map((manifest) => workload(manifest, stores))
  return {
    tier: tierOf(running, workloads),
    workloads,
    services: (manifests.filter(({ kind }) => kind === 'Service') as ServiceManifest[]).flatMap(servicesOf),
  }
}

/** Helm runs hooks beside the release, so they are not part of it. */
function isHook({ metadata }: Manifest): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined
}

function workload({ kind, metadata, spec }: Running, stores: Stores): Workload {
  const pod = spec.template.spec
  const meta = { name: metadata.name, namespace: metadata.namespace ?? 'default' }
  const container = (given: PodContainer) =>
    containerOf(given, { ...pod.securityContext, ...given.securityContext }, stores, meta)
  const claims: Volume[] = (spec.volumeClaimTemplates ?? []).map((claim) => ({
    name: claim.metadata.name,
    kind: 'claim',
    claim: kubernetesName(`${claim.metadata.name}-${metadata.name}`, 'a claim'),
  }))
  return {
    name: `${kind === 'StatefulSet' ? 'set' : 'deploy'}/${metadata.name}`,
    component: kubernetesName(spec.template.metadata.labels!['app.kubernetes.io/component'], 'a component'),
    replicas: spec.replicas ?? 1,
    init: (pod.initContainers ?? []).filter((init) => !isSidecar(init)).map(container),
    // The pod's main container comes first.
    containers: [...pod.containers, ...(pod.initContainers ?? []).filter(isSidecar)].map(container),
    volumes: [...(pod.volumes ?? []).map((volume) => volumeOf(volume, stores)), ...claims],
    grace: pod.terminationGracePeriodSeconds ?? 30,
  }
}

/** Kubernetes calls it an init container, but it runs as long as the pod. */
const isSidecar = ({ restartPolicy }: PodContainer) => restartPolicy === 'Always'

function containerOf(
  given: PodContainer,
  security: Security,
  stores: Stores,
  meta: { name: string; namespace: string },
): Container {
  return {
    name: kubernetesName(given.name, 'a container'),
    image: imageOf(given.image),
    command: given.command ?? null,
    args: given.args ?? [],
    env: envOf(given, stores, meta),
    secrets: secretsOf(given, stores),
    ports: (given.ports ?? []).map(({ name, containerPort }) => ({ name, port: containerPort })),
    limits: limitsOf(given.resources?.limits),
    mounts: (given.volumeMounts ?? []).map(({ mountPath: path, name, subPath }) => ({
      path: mountPath(path, `the volume ${name}`),
      volume: kubernetesName(name, 'a volume'),
      subPath: subPath ? pathWithin(subPath, `the volume ${name}`) : null,
    })),
    readiness: probeOf(given.readinessProbe),
    user: userOf(security),
    readOnlyRoot: security.readOnlyRootFilesystem === true,
  }
}

/** If the pod names no group, Kubernetes gives it root's group. */
const userOf = ({ runAsUser, runAsGroup = 0 }: Security): User | null =>
  runAsUser === undefined ? null : { uid: runAsUser, gid: runAsGroup }

/** A digest fixes the content that a tag stands for. */
function imageOf(reference: string): Image {
  const [named = ''] = reference.split('@')
  const colon = named.lastIndexOf(':')
  return { repository: named.slice(0, colon), tag: named.slice(colon + 1) }
}

function limitsOf(limits: NonNullable<PodContainer['resources']>['limits'] = {}): Limit {
  const parsed = (quantity?: string | number) => (quantity === undefined ? null : parseQuantity(quantity))
  return { cpu: parsed(limits.cpu), memory: parsed(limits.memory) }
}

function probeOf(probe?: PodProbe): Probe | null {
  if (probe?.httpGet) return { path: probe.httpGet.path, port: probe.httpGet.port }
  return probe?.exec ? { command: probe.exec.command } : null
}

function volumeOf(volume: PodVolume, stores: Stores): Volume {
  const name = kubernetesName(volume.name, 'a volume')
  if (volume.persistentVolumeClaim)
    return { name, kind: 'claim', claim: kubernetesName(volume.persistentVolumeClaim.claimName, 'a claim') }
  const { configMap, secret } = volume
  const source = configMap ?? (secret && { ...secret, name: secret.secretName })
  if (!source) return { name, kind: 'empty' }
  const files = referred(stores, configMap ? 'ConfigMap' : 'Secret', source, `volume ${name}`)
  const chosen =
    source.items?.flatMap(({ key, path }) => (files[key] ? [[path, files[key]] as const] : [])) ?? Object.entries(files)
  return {
    name,
    kind: 'files',
    files: Object.fromEntries(chosen.map(([path, content]) => [pathWithin(path, `the volume ${name}`), content])),
  }
}

function servicesOf({ metadata, spec }: ServiceManifest): Service[] {
  return spec.ports.map((port) => ({
    name: metadata.name,
    port: port.port,
    targetPort: port.targetPort ?? port.port,
    component: spec.selector?.['app.kubernetes.io/component'] ?? '',
  }))
}

/** The same keys for every plan of this process, because one plan may have to decrypt what another encrypted. */
const random = new Map<string, string>()
const valueOf = (key: string) => random.get(key) ?? random.set(key, randomBytes(24).toString('hex')).get(key)!

/** The Secrets that the chart's hook generates at its installation (files/generate-secrets.js). */
function generatedSecrets(manifests: Manifest[]): Manifest[] {
  return manifests
    .filter(({ kind, metadata }) => kind === 'Job' && metadata.annotations?.['helm.sh/hook'])
    .flatMap(({ spec }) => (spec as RunsPods).template.spec.containers)
    .flatMap(({ env = [] }) => {
      const said = Object.fromEntries(env.map(({ name, value }) => [name, String(value ?? '')]))
      if (!said.MANIFEST || !said.KEYS) return []
      const stringData = Object.fromEntries(said.KEYS.split(' ').map((key) => [key, valueOf(key)]))
      return [{ ...(JSON.parse(said.MANIFEST) as Manifest), stringData }]
    })
}

/** The tier in the chart's labels, the patches that it asks n8n's processes for, the chart and the image. */
function tierOf(running: (Manifest & { spec: RunsPods })[], workloads: Workload[]): Tier | null {
  const n8n = running.find(({ spec }) => spec.template.metadata.annotations?.['n8n-tuned/tier'] !== undefined)
  if (!n8n) return null
  const { metadata, spec } = n8n.spec.template
  const said = metadata.annotations!
  const chart = /-(\d.*)$/.exec(n8n.metadata.labels?.['helm.sh/chart'] ?? '')?.[1]
  return {
    name: said['n8n-tuned/tier']!,
    givesUp: listed(said['n8n-tuned/gives-up']),
    patches: [...new Set(workloads.flatMap(({ containers }) => containers).flatMap(patchesOf))],
    ...(chart !== undefined && { chart }),
    image: spec.containers.find(({ name }) => name === 'n8n')?.image,
  }
}

/** `off` in place of their names switches all of them off. */
function patchesOf({ env }: Workload['containers'][number]): string[] {
  const { N8N_TUNED_PATCHES: asked } = env
  return asked === 'off' ? [] : listed(asked)
}

const listed = (text = '') => text.split(/, ?/).filter(Boolean)
