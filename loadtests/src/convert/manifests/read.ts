import { isMap } from '../../lib/values.ts'
import { usage } from '../../lib/errors.ts'
import type { Values } from '../../model/experiment.ts'
import { withoutKeys } from '../account.ts'
import { mainOf } from '../compose/services.ts'
import { documentsOf } from '../read/layer.ts'
import type { ReaderOptions, ReadFiles } from '../source.ts'

/** Manifests of Kubernetes that somebody wrote: each container is what a service of Compose would say. */

const workloads = /^(Deployment|StatefulSet|DaemonSet|Pod|ReplicaSet)$/
export const n8nFolder = /\/\.n8n\/?$/

export async function readManifests(files: string[], { drop }: ReaderOptions): Promise<ReadFiles> {
  const objects = (await Promise.all(files.map(documentsOf))).flat().flatMap(({ values }) => itemsOf(values))
  const isOf = (kind: string) => (one: Values) => one.kind === kind
  const texts: Texts = new Map(objects.filter(isOf('ConfigMap')).map((one) => [nameOf(one), mapAt(one, 'data')]))
  const run = objects.filter(({ kind }) => workloads.test(String(kind)))
  const others = objects.filter((one) => !run.includes(one) && !isOf('ConfigMap')(one))
  const values = {
    services: Object.fromEntries(run.flatMap((one) => servicesOf(one, texts))),
    ...(others.length > 0 && {
      objects: Object.fromEntries(others.map((one) => [`${String(one.kind)} ${nameOf(one)}`, 'an object of theirs'])),
    }),
  }
  if (!mainOf(withoutKeys(values, drop)))
    throw usage(
      'bad-manifests',
      `${files[0]}: Expected a Deployment or a StatefulSet with n8n’s image, found none.`,
      'Write what this prints into the file: kubectl get deployments,statefulsets,configmaps --output yaml.',
    )
  return { values, place: () => ({ file: files[0]!, line: null }) }
}

/** Of each ConfigMap, its texts. */
type Texts = Map<string, Values>

/** A list of objects, as kubectl prints it, is what is in it. */
const itemsOf = (one: Values): Values[] => (Array.isArray(one.items) ? one.items.filter(isMap).flatMap(itemsOf) : [one])

const mapAt = (value: unknown, ...keys: string[]): Values => {
  const found = keys.reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), value)
  return isMap(found) ? found : {}
}
const listAt = (value: Values, key: string): Values[] => (Array.isArray(value[key]) ? value[key].filter(isMap) : [])
const without = (map: Values, ...names: string[]): Values =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)))
const nameOf = (one: Values) => String(mapAt(one, 'metadata').name ?? '')

/** The containers of a workload, as kubectl names it; those beside n8n's with their own name behind. */
function servicesOf(workload: Values, texts: Texts): [string, Values][] {
  const spec = mapAt(workload, 'spec')
  const isPod = workload.kind === 'Pod'
  const pod = isPod ? spec : mapAt(spec, 'template', 'spec')
  const { replicas } = spec
  const { terminationGracePeriodSeconds: grace } = pod
  // What is said of the pod is n8n's, wherever its container stands.
  const around = {
    ...(!isPod && without(spec, 'template', 'selector', 'serviceName', 'volumeClaimTemplates', 'replicas')),
    ...without(pod, 'containers', 'volumes', 'terminationGracePeriodSeconds'),
    ...(grace !== undefined && { stop_grace_period: `${String(grace)}s` }),
    ...(replicas !== undefined && { deploy: { replicas } }),
  }
  const name = `${String(workload.kind).toLowerCase()}/${nameOf(workload)}`
  const containers = listAt(pod, 'containers')
  const isN8n = ({ name, image }: Values) => name === 'n8n' || /(^|\/)n8n(:|@|$)/.test(String(image))
  const main = containers.find(isN8n) ?? containers[0]
  const volumes = volumesOf(workload, pod)
  return containers.map((one) =>
    one === main
      ? [name, serviceOf(one, around, volumes, texts)]
      : [`${name}/${String(one.name)}`, serviceOf(one, {}, volumes, texts)],
  )
}

/** Where the files of each volume come from; nothing where they go with the pod. */
function volumesOf(workload: Values, pod: Values): Map<string, string> {
  const claimOf = (volume: Values) => mapAt(volume, 'persistentVolumeClaim').claimName ?? volume.name
  return new Map([
    ...listAt(pod, 'volumes').map(
      (volume) => [String(volume.name), volume.emptyDir === undefined ? String(claimOf(volume)) : ''] as const,
    ),
    // Each pod of a StatefulSet has its own.
    ...listAt(mapAt(workload, 'spec'), 'volumeClaimTemplates').map(
      (claim) => [nameOf(claim), `${nameOf(claim)}-${nameOf(workload)}-0`] as const,
    ),
  ])
}

/** As Compose names it. What it has no name for goes by its own, of which convert says what becomes of it. */
function serviceOf(container: Values, around: Values, volumes: Map<string, string>, texts: Texts): Values {
  const { command, args, workingDir, envFrom, resources } = container
  const froms = Array.isArray(envFrom) ? envFrom.filter(isMap) : []
  const textsOf = (from: Values) =>
    from.prefix === undefined ? texts.get(String(mapAt(from, 'configMapRef').name)) : undefined
  const unread = froms.filter((from) => !textsOf(from))
  const mounts = listAt(container, 'volumeMounts')
  const deploy = {
    ...mapAt(around, 'deploy'),
    ...(resources !== undefined && {
      resources: { limits: amountsIn(resources, 'limits'), reservations: amountsIn(resources, 'requests') },
    }),
  }
  return {
    ...around,
    ...without(container, 'name', 'env', 'envFrom', 'volumeMounts', 'command', 'args', 'workingDir', 'resources'),
    ...(command !== undefined && { entrypoint: command }),
    ...(args !== undefined && { command: args }),
    ...(workingDir !== undefined && { working_dir: workingDir }),
    environment: Object.assign({}, ...froms.map(textsOf), variablesOf(container, texts)) as Values,
    ...(unread.length > 0 && { envFrom: unread }),
    ...(mounts.length > 0 && { volumes: mounts.map((mount) => mountIn(mount, volumes)) }),
    ...(Object.keys(deploy).length > 0 && { deploy }),
    // Nothing of ours says it, so it is named as a key that nobody knows.
    ...Object.fromEntries(
      mounts.flatMap(({ subPath, mountPath }) =>
        subPath === undefined ? [] : [[`subPath of ${String(mountPath)}`, subPath]],
      ),
    ),
  }
}

function variablesOf(container: Values, texts: Texts): Values {
  const valueOf = ({ value, valueFrom }: Values) => {
    const { name, key } = mapAt(valueFrom, 'configMapKeyRef')
    return texts.get(String(name))?.[String(key)] ?? (valueFrom === undefined ? (value ?? '') : { valueFrom })
  }
  return Object.fromEntries(listAt(container, 'env').map((one) => [String(one.name), valueOf(one)]))
}

const mountIn = ({ name, mountPath, readOnly }: Values, volumes: Map<string, string>) => ({
  type: 'volume',
  source: volumes.get(String(name)) ?? String(name),
  target: String(mountPath ?? ''),
  ...(readOnly === true && { read_only: true }),
})

function amountsIn(resources: unknown, kind: 'limits' | 'requests'): Values {
  const { cpu, memory } = mapAt(resources, kind)
  return { ...(cpu !== undefined && { cpus: String(cpu) }), ...(memory !== undefined && { memory: String(memory) }) }
}
