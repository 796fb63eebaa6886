import { readFile } from 'node:fs/promises'
import type { Plan } from '../../../chart/plan.ts'
import { until } from '../../../lib/await.ts'
import { paths } from '../../../lib/paths.ts'
import { atPath, mergeValues } from '../../../lib/values.ts'
import type { Values } from '../../../model/experiment.ts'
import type { ProcessFault } from '../../../model/fault.ts'
import type { Api } from '../api.ts'
import type { Images } from '../images.ts'
import type { ContainerObject, Controller, PodSpec } from '../objects.ts'
import { controllersOf } from './controllers.ts'

/** What a plan needs so that the lab can inject faults: other values, and the lab's own container in a store. */

/** Values with which the lab can do what the faults need. */
export async function prepareValues(processFaults: ProcessFault[], values: Values): Promise<Values> {
  const hows = new Set(processFaults.map(({ how }) => how))
  return mergeValues(
    values,
    // The disk that the lab fills is in memory, and no claim.
    hows.has('fill-disk') ? atPath('database.embedded.persistence.enabled', false) : {},
    hows.has('move-clock') ? ownClock(values, await readFile(paths.movableClock, 'base64')) : {},
  )
}

const clockRoles = ['main', 'webhook', 'worker']

/** Each n8n process first loads a clock that the lab can move. */
function ownClock(values: Values, program: string): Values {
  const flag = `--import=data:text/javascript;base64,${program}`
  const optionsOf = (role: string) => (values[role] as Role | undefined)?.extraEnv?.NODE_OPTIONS
  const given = (role: string) => optionsOf(role) ?? optionsOf('role') ?? ''
  return mergeValues(
    ...clockRoles.map((role) => atPath(`${role}.extraEnv.NODE_OPTIONS`, `${given(role)} ${flag}`.trim())),
  )
}

interface Role {
  extraEnv?: { NODE_OPTIONS?: string }
}

const patience = 30_000

/** Gives the stores what the faults need that a command inside their containers cannot do. */
export async function prepareStores(
  { processFaults, plan, images }: { processFaults: ProcessFault[]; plan: Plan; images: Images },
  api: Api,
  namespace: string,
): Promise<void> {
  const network = await readFile(paths.faultyNetwork, 'utf8')
  for (const store of stores) {
    const hows = new Set(processFaults.filter(({ component }) => component === store).map(({ how }) => how))
    for (const { path, spec } of await controllersOf([store], plan, api, namespace)) {
      const pod = podForFaults(spec.template.spec, store, hows, { network, images })
      if (pod === null) continue
      await api.patch(path, { spec: { template: { spec: pod } } })
      await until(
        async () => {
          const { metadata, status } = await api.get<Controller>(path)
          return status.observedGeneration >= metadata.generation
        },
        { timeout: patience, every: 100 },
      )
      // Otherwise Kubernetes waits until the pod is ready, and then replaces it.
      await api.remove(`/api/v1/namespaces/${namespace}/pods/${path.split('/').at(-1)}-0`)
    }
  }
}

/** The lab's own container in a store's pod, and its folder there. */
export const sidecar = 'lab'
const labFolder = '/lab'
/** Where PostgreSQL's disk is in that container. */
export const dataFolder = '/data'
/** The file that says how the network fails. */
export const networkState = `${labFolder}/network`

/** How large PostgreSQL's disk is that the lab can fill: more than a run of minutes writes. */
const room = '1Gi'

const stores = ['redis', 'postgresql'] as const
type Store = (typeof stores)[number]

interface Parts {
  /** The program that stands before the store. */
  network: string
  images: Images
}

/** What changes in the pod; null if the faults need nothing. */
export function podForFaults(pod: PodSpec, store: Store, hows: Set<string>, parts: Parts): object | null {
  const shared = store === 'redis' && hows.has('freeze') ? { shareProcessNamespace: true } : null
  const behindNetwork = hows.has('cut-off') || hows.has('lossy')
  const inMemory = hows.has('fill-disk')
  if (!behindNetwork && !inMemory) return shared
  let [container] = pod.containers as [ContainerObject]
  let { volumes = [] } = pod
  let own: object = { command: ['sleep', 'infinity'] }
  const mounts = [{ name: sidecar, mountPath: labFolder }]
  if (behindNetwork) {
    own = inFrontOf(container, parts.network)
    container = movedAside(container)
  }
  if (inMemory) {
    mounts.push({ name: 'data', mountPath: dataFolder })
    container = withoutMemoryLimit(container)
    volumes = volumes.map((volume) => (volume.name === 'data' ? memoryDisk : volume))
  }
  return {
    ...shared,
    containers: [container, { ...programOf(container, parts.images), ...own, volumeMounts: mounts }],
    volumes: [...volumes, { name: sidecar, emptyDir: {} }],
  }
}

const programOf = ({ securityContext }: ContainerObject, { n8n, pullPolicy }: Images) => ({
  name: sidecar,
  image: n8n,
  imagePullPolicy: pullPolicy,
  resources: { requests: { cpu: '50m', memory: '64Mi' } },
  securityContext,
})

const memoryDisk = { name: 'data', emptyDir: { medium: 'Memory', sizeLimit: room } }

/** The port that the store listens on when the lab's program has its own. */
const aside = (port: number) => port + 10_000

/** The sidecar's part that takes the store's port, with its name. */
const inFrontOf = ({ ports = [] }: ContainerObject, network: string) => ({
  command: ['node', '--input-type=module', '--eval', network],
  ports,
  env: [
    { name: 'LISTEN', value: String(ports[0]!.containerPort) },
    { name: 'STORE', value: String(aside(ports[0]!.containerPort)) },
    { name: 'STATE', value: networkState },
  ],
})

/** The chart's stores read their port from a variable, which their probes read too. */
function movedAside({ ports = [], env = [], livenessProbe, ...rest }: ContainerObject): ContainerObject {
  const moved = aside(ports[0]!.containerPort)
  return {
    ...rest,
    ports: [{ name: 'store', containerPort: moved }],
    livenessProbe: { ...livenessProbe, tcpSocket: { port: moved } },
    env: env.map((one) => (/^(REDIS_|PG)PORT$/.test(one.name) ? { ...one, value: String(moved) } : one)),
  }
}

/** The disk counts as the pod's memory. */
function withoutMemoryLimit({ resources, ...rest }: ContainerObject): ContainerObject {
  const { memory: _, ...limits } = resources?.limits ?? {}
  return { ...rest, resources: { ...resources, limits } }
}
