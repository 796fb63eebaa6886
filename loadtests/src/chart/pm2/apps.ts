import { usage } from '../../lib/errors.ts'
import type { Container, Plan, Workload } from '../plan.ts'
import { secretVariablesIn } from '../../secret/chart-values.ts'
import { processName } from '../../lib/process-name.ts'
import { resolveEnv, serviceKey } from '../resolve.ts'

/** An app of PM2: one n8n process, or several that share a port. */
export interface App {
  name: string
  args: string[]
  /** How many processes share its port; null for one process with its own ports. */
  sharing: number | null
  nodeArgs: string[]
  env: Record<string, string>
  secrets: string[]
  /** A folder below the user's home that stands for the pod's home. */
  folder: string
  /** MiB. */
  memory: number | null
  /** Seconds it may take to end. */
  grace: number
}

/** Each role's own ports, by n8n's variables for them. The first is the port for its readiness. */
const listening: Record<string, { ports: string[]; address: string }> = {
  main: { ports: ['N8N_PORT', 'N8N_RUNNERS_BROKER_PORT'], address: 'N8N_LISTEN_ADDRESS' },
  webhook: { ports: ['N8N_PORT'], address: 'N8N_LISTEN_ADDRESS' },
  worker: { ports: ['QUEUE_HEALTH_CHECK_PORT', 'N8N_RUNNERS_BROKER_PORT'], address: 'N8N_WORKER_SERVER_ADDRESS' },
}
const roles = Object.keys(listening)

/** One n8n process, or several that share a port, with their ports on this machine. */
interface Listener {
  workload: Workload
  index: number
  name: string
  ports: [variable: string, port: number][]
}

/**
 * The plan's n8n as apps of PM2 on one machine, with ports from the given one on. Its stores are whatever listens on
 * their ports there.
 */
export function appsOf(plan: Plan, firstPort: number): App[] {
  const secret = secretVariablesIn(plan.values)
  const workloads = roles.flatMap((role) => plan.workloads.filter(({ component }) => component === role))
  workloads.forEach(refuse)
  const listeners = listenersOf(workloads, firstPort)
  const services = new Map(
    plan.services.map((service) => {
      const listener = listeners.find(({ workload }) => workload.component === service.component)
      return [serviceKey(service), listener ? portOf(listener) : service.port]
    }),
  )
  return listeners.map((listener) => appOf(listener, services, secret))
}

function listenersOf(workloads: Workload[], firstPort: number): Listener[] {
  let next = firstPort
  return workloads.flatMap((workload) => {
    const { component, replicas } = workload
    const count = component === 'webhook' ? Math.min(1, replicas) : replicas
    return Array.from({ length: count }, (_, index) => ({
      workload,
      index,
      name: component === 'worker' || count > 1 ? processName(component, index) : component,
      ports: listening[component]!.ports.map((variable): Listener['ports'][number] => [variable, next++]),
    }))
  })
}

const portOf = ({ ports }: Listener) => ports[0]![1]

function appOf(listener: Listener, services: Map<string, number>, secret: Set<string>): App {
  const { workload, index, name, ports } = listener
  const { component, replicas, grace } = workload
  const [container] = workload.containers as [Container]
  const { NODE_OPTIONS = '', ...given } = resolveEnv(container.env, {
    ports: new Map(),
    root: '',
    mounts: [],
    services,
  })
  const { address } = listening[component]!
  const env = {
    NODE_ENV: 'production',
    [address]: '127.0.0.1',
    ...given,
    ...Object.fromEntries(ports.map(([variable, port]) => [variable, String(port)])),
  }
  return {
    name: `n8n-${name}`,
    args: container.args,
    sharing: component === 'webhook' ? replicas : null,
    nodeArgs: NODE_OPTIONS.split(/\s+/).filter(Boolean),
    env: { ...env, ...attended(listener, env[address]!, Number(given.N8N_GRACEFUL_SHUTDOWN_TIMEOUT ?? 30)) },
    secrets: [...container.secrets, ...Object.keys(given).filter((variable) => secret.has(variable))],
    folder: component === 'main' && index === 0 ? '' : `.n8n-tuned/${name}`,
    memory: container.limits.memory && Math.floor(container.limits.memory / 2 ** 20),
    grace,
  }
}

/** Where the chart places its patches of n8n's code. */
export const patchesAt = '/opt/n8n-tuned/patches'

/** Those files by name; empty if the plan has no patches. */
export function patchFiles({ workloads }: Plan): Record<string, Buffer> {
  const patched = workloads.find(({ containers }) => containers[0]!.mounts.some(({ path }) => path === patchesAt))
  const name = patched?.containers[0]!.mounts.find(({ path }) => path === patchesAt)!.volume
  const volume = patched?.volumes.find((each) => each.name === name)
  return volume?.kind === 'files' ? volume.files : {}
}

/** What the preload asks, and how long it waits: callers get their answers before n8n begins to end. */
function attended(listener: Listener, address: string, graceful: number): Record<string, string> {
  const { component, grace, containers } = listener.workload
  const readiness = containers[0]!.readiness
  if (!readiness || !('path' in readiness)) return {}
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return {
    N8N_TUNED_READY: `http://${host}:${portOf(listener)}${readiness.path}`,
    ...(component === 'webhook' && { N8N_TUNED_DRAIN: String(Math.max(1, grace - graceful - 5)) }),
  }
}

const known = ['/home/node/.n8n', '/home/node/.cache', '/tmp', patchesAt]

function refuse({ component, init, containers, volumes }: Workload): void {
  const beside = containers[1]
  if (beside) throw notUnderPm2(`the container ${beside.name} beside ${component}`, 'Take runner.mode: internal.')
  const before = init.find(({ name }) => !['wait', 'check-key'].includes(name))
  if (before)
    throw notUnderPm2(
      `the init container ${before.name} of ${component}`,
      'Leave it out; n8n import:workflow brings workflows, and N8N_CUSTOM_EXTENSIONS among extraEnv names a '
        + 'folder with nodes.',
    )
  const mount = containers[0]!.mounts.find(({ path }) => !known.includes(path))
  const kind = volumes.find(({ name }) => name === mount?.volume)?.kind
  if (mount)
    throw notUnderPm2(
      `${kind === 'files' ? 'files' : 'a volume'} of the cluster at ${mount.path} in ${component}`,
      'Leave it out, and name files of this machine among extraEnv.',
    )
}

const notUnderPm2 = (what: string, hint: string) =>
  usage(
    'not-under-pm2',
    `Expected a plan that PM2 can run, which are processes of n8n and nothing else, got ${what}.`,
    hint,
  )
