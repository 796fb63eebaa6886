import type { Container, Plan, Workload } from '../../chart/plan.ts'
import { errors } from '../../errors.ts'
import { processName } from '../../names.ts'
import { resolveEnv, serviceKey } from '../local/resolve.ts'

/** An app of PM2: one n8n process, or several that share a port. */
export interface App {
  name: string
  args: string[]
  /** How many share its port; null is one process with ports of its own. */
  sharing: number | null
  nodeArgs: string[]
  env: Record<string, string>
  secrets: string[]
  /** Below the user's home: what stands for the pod's home. */
  folder: string
  /** MiB. */
  memory: number | null
  /** Seconds it may take to end. */
  grace: number
}

/** Each role's own ports, by the variables that tell n8n. The first is where it says whether it is ready. */
const listening: Record<string, { ports: string[]; address: string }> = {
  main: { ports: ['N8N_PORT', 'N8N_RUNNERS_BROKER_PORT'], address: 'N8N_LISTEN_ADDRESS' },
  webhook: { ports: ['N8N_PORT'], address: 'N8N_LISTEN_ADDRESS' },
  worker: { ports: ['QUEUE_HEALTH_CHECK_PORT', 'N8N_RUNNERS_BROKER_PORT'], address: 'N8N_WORKER_SERVER_ADDRESS' },
}
const roles = Object.keys(listening)

/** The plan's n8n as apps of PM2 on one machine, on ports from the first on. Its stores are whatever listens on their ports here. */
export function appsOf(plan: Plan, firstPort: number): App[] {
  const workloads = roles.flatMap((role) => plan.workloads.filter(({ component }) => component === role))
  workloads.forEach(refuse)
  let next = firstPort
  const places = workloads.flatMap((workload) => {
    const shares = workload.component === 'webhook'
    const count = shares ? Math.min(1, workload.replicas) : workload.replicas
    return Array.from({ length: count }, (_, index) => {
      const ports = listening[workload.component]!.ports.map((variable) => [variable, next++] as const)
      return { workload, index, ports, alone: count === 1 && workload.component !== 'worker' }
    })
  })
  const services = new Map(plan.services.map((service) => {
    const place = places.find(({ workload }) => workload.component === service.component)
    return [serviceKey(service), place ? place.ports[0]![1] : service.port]
  }))
  return places.map(({ workload, index, ports, alone }) => {
    const [container] = workload.containers as [Container]
    const { component, replicas, grace } = workload
    const { address } = listening[component]!
    const given = resolveEnv(container.env, { ports: new Map(), root: '', mounts: [], services })
    const { NODE_OPTIONS = '', ...env } = { NODE_ENV: 'production', [address]: '127.0.0.1', ...given, ...Object.fromEntries(ports.map(([name, port]) => [name, String(port)])) } as Record<string, string>
    return {
      name: `n8n-${alone ? component : processName(component, index)}`,
      args: container.args,
      sharing: component === 'webhook' ? replicas : null,
      nodeArgs: NODE_OPTIONS.split(/\s+/).filter(Boolean),
      env: { ...env, ...attended(container, workload, env[address]!, ports[0]![1], Number(env.N8N_GRACEFUL_SHUTDOWN_TIMEOUT ?? 30)) },
      secrets: container.secrets,
      folder: component === 'main' && index === 0 ? '' : `.n8n-tuned/${processName(component, index)}`,
      memory: container.limits.memory && Math.floor(container.limits.memory / 2 ** 20),
      grace,
    }
  })
}

/** What the preload asks and how long it waits: the answers come before n8n's own time to end begins. */
function attended({ readiness }: Container, { component, grace }: Workload, address: string, port: number, graceful: number): Record<string, string> {
  if (!readiness || !('path' in readiness)) return {}
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return {
    N8N_TUNED_READY: `http://${host}:${port}${readiness.path}`,
    ...(component === 'webhook' && { N8N_TUNED_DRAIN: String(Math.max(1, grace - graceful - 5)) }),
  }
}

const known = ['/home/node/.n8n', '/home/node/.cache', '/tmp']

function refuse({ component, init, containers, volumes }: Workload): void {
  const beside = containers[1]
  if (beside) throw errors.notUnderPm2(`the container ${beside.name} beside ${component}`, 'Take runner.mode: internal.')
  const before = init.find(({ name }) => name !== 'wait')
  if (before) throw errors.notUnderPm2(`the init container ${before.name} of ${component}`, 'Leave it out; n8n import:workflow brings workflows, and N8N_CUSTOM_EXTENSIONS among extraEnv names a folder with nodes.')
  const mount = containers[0]!.mounts.find(({ path }) => !known.includes(path))
  const kind = volumes.find(({ name }) => name === mount?.volume)?.kind
  if (mount) throw errors.notUnderPm2(`${kind === 'files' ? 'files' : 'a volume'} of the cluster at ${mount.path} in ${component}`, 'Leave it out, and name files of this machine among extraEnv.')
}
