import type { Images } from '../images.ts'

/** Pure: what a store's pod needs so that the lab can disturb it. */

/** The lab's own container in a store's pod, and its folder there. */
export const sidecar = 'lab'
const labFolder = '/lab'
/** Where PostgreSQL's disk is in that container. */
export const dataFolder = '/data'
/** The file that says how the network fails. */
export const networkState = `${labFolder}/network`

/** How large PostgreSQL's disk is that the lab can fill: more than a run of minutes writes. */
const room = '1Gi'

export const stores = ['redis', 'postgresql'] as const
type Store = (typeof stores)[number]

interface Parts {
  /** The program that stands before the store. */
  network: string
  images: Images
}

/** What changes in the pod; null if the disturbances need nothing. */
export function disturbable(pod: any, store: Store, hows: Set<string>, parts: Parts): object | null {
  const shared = store === 'redis' && hows.has('freeze') ? { shareProcessNamespace: true } : null
  const behindNetwork = hows.has('cut-off') || hows.has('lossy')
  const inMemory = hows.has('fill-disk')
  if (!behindNetwork && !inMemory) return shared
  let [container] = pod.containers
  let { volumes } = pod
  let own: object = { command: ['sleep', 'infinity'] }
  const mounts = [{ name: sidecar, mountPath: labFolder }]
  if (behindNetwork) {
    own = inFrontOf(container, parts.network)
    container = movedAside(container)
  }
  if (inMemory) {
    mounts.push({ name: 'data', mountPath: dataFolder })
    container = withoutMemoryLimit(container)
    volumes = volumes.map((volume: any) => (volume.name === 'data' ? memoryDisk : volume))
  }
  return {
    ...shared,
    containers: [container, { ...programOf(container, parts.images), ...own, volumeMounts: mounts }],
    volumes: [...volumes, { name: sidecar, emptyDir: {} }],
  }
}

const programOf = ({ securityContext }: any, { n8n, pullPolicy }: Images) => ({
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
const inFrontOf = ({ ports }: any, network: string) => ({
  command: ['node', '--input-type=module', '--eval', network],
  ports,
  env: [
    { name: 'LISTEN', value: String(ports[0].containerPort) },
    { name: 'STORE', value: String(aside(ports[0].containerPort)) },
    { name: 'STATE', value: networkState },
  ],
})

/** The chart's stores read their port from a variable, which their probes read too. */
function movedAside({ ports: [port], env, livenessProbe, ...rest }: any): object {
  const moved = aside(port.containerPort)
  return {
    ...rest,
    ports: [{ name: 'store', containerPort: moved }],
    livenessProbe: { ...livenessProbe, tcpSocket: { port: moved } },
    env: env.map((one: any) => (/^(REDIS_|PG)PORT$/.test(one.name) ? { ...one, value: String(moved) } : one)),
  }
}

/** The disk counts as the pod's memory. */
function withoutMemoryLimit({ resources, ...rest }: any): any {
  const { memory: _, ...limits } = resources.limits ?? {}
  return { ...rest, resources: { ...resources, limits } }
}
