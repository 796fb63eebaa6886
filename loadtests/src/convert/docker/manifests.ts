import { isMap } from '../../lib/values.ts'
import { usage } from '../../lib/errors.ts'
import type { Values } from '../../model/experiment.ts'
import { withoutKeys } from '../account.ts'
import { mainOf } from '../compose/services.ts'
import { documentsOf } from '../read/layer.ts'
import type { ReaderOptions, ReadFiles } from '../source.ts'

/** Manifests of Kubernetes that somebody wrote: each container is what a service of Compose would say. */

const workloads = /^(Deployment|StatefulSet|DaemonSet|Pod|ReplicaSet)$/

export async function readManifests(files: string[], { drop }: ReaderOptions): Promise<ReadFiles> {
  const objects = (await Promise.all(files.map(documentsOf))).flat().flatMap(({ values }) => itemsOf(values))
  const texts = new Map(
    objects.filter(({ kind }) => kind === 'ConfigMap').map((one) => [nameOf(one), mapAt(one, 'data')]),
  )
  const services: Values = {}
  const others: Values = {}
  for (const one of objects)
    if (workloads.test(String(one.kind)))
      for (const [name, of] of Object.entries(servicesOf(one, texts)))
        services[name in services ? `${name}-${String(one.kind).toLowerCase()}` : name] = of
    else if (one.kind !== 'ConfigMap') others[`${String(one.kind)} ${nameOf(one)}`] = 'an object of theirs'
  const values = { services, ...(Object.keys(others).length > 0 && { objects: others }) }
  if (!mainOf(withoutKeys(values, drop)))
    throw usage(
      'bad-manifests',
      `${files[0]}: Expected a Deployment or a StatefulSet with n8n’s image, found none.`,
      'Write what this prints into the file: kubectl get deployments,statefulsets,configmaps --output yaml.',
    )
  return { values, place: () => ({ file: files[0]!, line: null }) }
}

/** A list of objects, as kubectl prints it, is what is in it. */
const itemsOf = (one: Values): Values[] => (Array.isArray(one.items) ? one.items.filter(isMap).flatMap(itemsOf) : [one])

const mapAt = (value: unknown, ...keys: string[]): Values => {
  const found = keys.reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), value)
  return isMap(found) ? found : {}
}
const listAt = (value: Values, key: string): Values[] => (Array.isArray(value[key]) ? value[key].filter(isMap) : [])
const nameOf = (one: Values) => String(mapAt(one, 'metadata').name ?? '')

/** The containers of a workload; those beside n8n's are named with it. */
function servicesOf(workload: Values, texts: Map<string, Values>): Values {
  const spec = mapAt(workload, 'spec')
  const pod = workload.kind === 'Pod' ? spec : mapAt(spec, 'template', 'spec')
  const claims = new Map([
    ...listAt(pod, 'volumes').map((volume) => [String(volume.name), volume] as const),
    // Each pod of a StatefulSet has its own.
    ...listAt(spec, 'volumeClaimTemplates').map(
      (one) => [nameOf(one), { persistentVolumeClaim: { claimName: `${nameOf(one)}-${nameOf(workload)}-0` } }] as const,
    ),
  ])
  const { containers: _, volumes: __, initContainers, terminationGracePeriodSeconds, ...rest } = pod
  const all = listAt(pod, 'containers')
  // What the pod says is n8n's, wherever its container stands.
  const main = Math.max(
    0,
    all.findIndex(({ name, image }) => name === 'n8n' || /(^|\/)n8n(:|@|$)/.test(String(image))),
  )
  return Object.fromEntries(
    all.map((container, index) => {
      const name = index === main ? nameOf(workload) : `${nameOf(workload)}-${String(container.name)}`
      const ofPod = {
        ...Object.fromEntries(Object.entries(rest).filter(([key]) => !ofKubernetes.has(key))),
        ...(initContainers !== undefined && { initContainers }),
        ...(terminationGracePeriodSeconds !== undefined && {
          stop_grace_period: `${String(terminationGracePeriodSeconds)}s`,
        }),
        ...(spec.replicas !== undefined && { deploy: { replicas: spec.replicas } }),
        ...(updates.some((key) => spec[key] !== undefined) && { update_config: 'as the workload says' }),
      }
      return [name, serviceOf(container, index === main ? ofPod : {}, claims, texts, String(workload.kind))]
    }),
  )
}

/** How a workload is updated, which the chart does in its own way. */
const updates = ['strategy', 'updateStrategy', 'revisionHistoryLimit', 'minReadySeconds', 'podManagementPolicy']

/** Of a pod, what the chart has its own for. */
const ofKubernetes = new Set(
  'restartPolicy dnsPolicy schedulerName securityContext serviceAccount serviceAccountName enableServiceLinks '
    .concat('automountServiceAccountToken hostname subdomain')
    .split(' '),
)
const ofContainer: Record<string, string> = {
  ...{ livenessProbe: 'healthcheck', readinessProbe: 'healthcheck', startupProbe: 'healthcheck' },
  ...{ imagePullPolicy: 'pull_policy', securityContext: 'security_opt' },
  ...{ terminationMessagePath: 'logging', terminationMessagePolicy: 'logging', workingDir: 'working_dir' },
  ...{ stdin: 'stdin_open', tty: 'tty', ports: 'ports', command: 'entrypoint', args: 'command', image: 'image' },
}

function serviceOf(
  container: Values,
  ofPod: Values,
  volumes: Map<string, Values>,
  texts: Map<string, Values>,
  kind: string,
): Values {
  const { name: _, env: __, volumeMounts: ___, envFrom, resources, ...rest } = container
  const environment: Values = {}
  const unread: Values[] = []
  for (const from of Array.isArray(envFrom) ? envFrom.filter(isMap) : []) {
    const text = texts.get(String(mapAt(from, 'configMapRef').name))
    if (text && from.prefix === undefined) Object.assign(environment, text)
    else unread.push(from)
  }
  for (const { name, value, valueFrom } of listAt(container, 'env')) {
    const ref = mapAt(valueFrom, 'configMapKeyRef')
    const known = texts.get(String(ref.name))?.[String(ref.key)]
    environment[String(name)] = known ?? (valueFrom === undefined ? (value ?? '') : { valueFrom })
  }
  const mounts = listAt(container, 'volumeMounts').map((mount) => {
    const volume = volumes.get(String(mount.name)) ?? {}
    const claim = mapAt(volume, 'persistentVolumeClaim').claimName
    const source = String(claim ?? (volume.emptyDir === undefined ? mount.name : ''))
    return {
      type: 'volume',
      source,
      target: String(mount.mountPath ?? ''),
      ...(mount.readOnly === true && { read_only: true }),
    }
  })
  const folder = mounts.find(({ target }) => /\/\.n8n\/?$/.test(target))
  const { limits, requests } = { limits: mapAt(resources, 'limits'), requests: mapAt(resources, 'requests') }
  const amounts = (of: Values) => ({
    ...(of.cpu !== undefined && { cpus: String(of.cpu) }),
    ...(of.memory !== undefined && { memory: String(of.memory) }),
  })
  const deploy = {
    ...(isMap(ofPod.deploy) && ofPod.deploy),
    ...(resources !== undefined && { resources: { limits: amounts(limits), reservations: amounts(requests) } }),
  }
  return {
    ...ofPod,
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [ofContainer[key] ?? key, value])),
    environment,
    // These are named as keys that it does not know, since nothing of ours says them.
    ...Object.fromEntries(
      listAt(container, 'volumeMounts').flatMap(({ subPath, mountPath }) =>
        subPath === undefined ? [] : [[`subPath of ${String(mountPath)}`, subPath]],
      ),
    ),
    ...(unread.length > 0 && { envFrom: unread }),
    ...(mounts.length > 0 && { volumes: mounts }),
    ...(Object.keys(deploy).length > 0 && { deploy }),
    ...(folder && { 'x-claim': folder.source }),
    'x-kind': kind.toLowerCase(),
  }
}
