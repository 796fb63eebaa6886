import { join } from 'node:path'
import type { Container } from '../../../chart/plan.ts'
import type { Limit } from '../../../model/result.ts'
import type { ContainerWork } from '../engine.ts'
import type { LocalImage, User } from '../images.ts'
import { aroundOf, defaultPorts, translated, type LocalPod } from '../pod.ts'
import { resolveEnv } from '../../../chart/resolve.ts'
import type { Runtime } from './runtime.ts'

/** Arguments that all containers of a lab share. */
export interface Shared {
  program: Runtime['program']
  /** The label by which a later lab finds them. */
  label: string
  /** The control group for containers of the image. */
  coresOf(image: LocalImage): number[]
  /** Whether the runtime can limit CPU and memory. */
  limits: boolean
  /** The user who runs the lab, unless that is root. */
  caller: User | null
  /** Limits of files and processes, where the runtime would set higher ones than the lab is allowed to. */
  ulimits: string[]
}

/** A container's environment, with ports and Services as they are on this machine. */
export function environment({ pod, container, image, services }: ContainerWork): Record<string, string> {
  return {
    ...image.env,
    ...resolveEnv({ ...defaultPorts(image), ...container.env }, aroundOf(pod, container, services, '')),
    ...image.forced,
  }
}

/** Arguments that run a container of the pod in the foreground. */
export function runArguments(work: ContainerWork, name: string, shared: Shared): string[] {
  const { pod, container, image, limits, args } = work
  const [entrypoint, ...words] = wordsOf(work)
  return [
    'run',
    ...['--name', name, '--label', shared.label],
    // On the host's network, as every process here: nothing between it and its callers, and no network to clean up.
    ...['--network', 'host'],
    // The lab keeps its output, so the runtime removes it as soon as it ends.
    ...['--log-driver', 'none', '--stop-timeout', '0'],
    // Volumes are folders of this machine, which SELinux would hide from a container.
    ...['--security-opt', 'label=disable'],
    ...shared.ulimits.flatMap((limit) => ['--ulimit', limit]),
    ...(limits ? placed(limits, shared.coresOf(image), shared) : []),
    ...userOf(container, shared),
    ...(container.readOnlyRoot ? ['--read-only'] : []),
    ...mountsOf(pod, container),
    ...Object.entries(image.binds ?? {}).flatMap(([path, folder]) => ['--volume', `${folder}:${path}:ro`]),
    // The lab's own commands for the image are about files of this machine.
    ...(args ? ['--volume', `${pod.folder}:${pod.folder}:ro`] : []),
    ...Object.entries(environment(work)).flatMap(([variable, value]) => [
      '--env',
      isClients(variable) ? `${variable}=${value}` : variable,
    ]),
    ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint]),
    image.id!,
    ...words,
  ]
}

/** The entry point, unless it is the image's own, and the arguments. */
function wordsOf({ pod, container, image, services, args }: ContainerWork): [string | undefined, ...string[]] {
  const begin = args ? image.entrypoint : (container.command ?? image.entrypoint)
  const [entrypoint, ...rest] = translated(begin, pod, container, services, '')
  return [entrypoint, ...rest, ...(args ?? translated(container.args, pod, container, services, ''))]
}

function placed({ cpu, memory }: Limit, cores: number[], { limits }: Shared): string[] {
  return [
    ...['--cpuset-cpus', cores.join(',')],
    ...(limits && cpu !== null ? ['--cpus', String(cpu)] : []),
    // Kubernetes grants no swap.
    ...(limits && memory !== null
      ? ['--memory', String(Math.floor(memory)), '--memory-swap', String(Math.floor(memory))]
      : []),
  ]
}

/** Root may give the volumes to the pod's user; with any other user they belong to the caller. */
function userOf({ user }: Container, { program, caller }: Shared): string[] {
  if (!caller) return user ? ['--user', `${user.uid}:${user.gid}`] : []
  return ['--user', `${caller.uid}:${caller.gid}`, ...(program === 'podman' ? ['--userns', 'keep-id'] : [])]
}

function mountsOf({ workload, volumes }: LocalPod, { mounts }: Container): string[] {
  const files = new Set(workload.volumes.filter(({ kind }) => kind === 'files').map(({ name }) => name))
  return mounts.flatMap(({ path, volume, subPath }) => [
    '--volume',
    `${join(volumes.get(volume)!, subPath ?? '')}:${path}${files.has(volume) ? ':ro' : ''}`,
  ])
}

/**
 * The rest goes through the client's environment, because other users can read arguments; but it never replaces
 * variables of the client itself. All of these name a place, so none is a secret.
 */
export const isClients = (variable: string) => clients.test(variable)
const clients = new RegExp(
  '^(PATH|HOME|USER|TMPDIR|LANG|XDG_(RUNTIME_DIR|(CONFIG|DATA|CACHE|STATE)_HOME|(CONFIG|DATA)_DIRS|SESSION_ID)'
    + '|DOCKER_(HOST|CONFIG|CONTEXT|TLS|TLS_VERIFY|CERT_PATH|API_VERSION|DEFAULT_PLATFORM)'
    + '|CONTAINER_(HOST|CONNECTION|SSHKEY)'
    + '|CONTAINERS_(CONF|CONF_OVERRIDE|REGISTRIES_CONF|STORAGE_CONF|POLICY)|DBUS_SESSION_BUS_ADDRESS)$',
)
