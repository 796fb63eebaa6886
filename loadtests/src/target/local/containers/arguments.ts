import { join } from 'node:path'
import type { Container, Limits } from '../../../chart/plan.ts'
import type { Work } from '../engine.ts'
import type { LocalImage, User } from '../images/image.ts'
import { aroundOf, defaultPorts, translated, type Pod } from '../pod.ts'
import { resolveEnv } from '../resolve.ts'

/** What is the same for all containers of a lab. */
export interface Shared {
  program: 'docker' | 'podman'
  /** What a later lab finds them by. */
  label: string
  /** Where containers of the image are put. */
  coresOf(image: LocalImage): number[]
  /** Can the runtime limit? */
  limits: boolean
  /** Who runs the lab, where that is not root. */
  caller: User | null
  /** Of files and processes, where the runtime would ask for more than the lab may be allowed to give. */
  ulimits: string[]
}

/** A container's environment, with ports and Services where they are on this machine. */
export function environment({ pod, container, image, services }: Work): Record<string, string> {
  return {
    ...image.env,
    ...resolveEnv({ ...defaultPorts(image), ...container.env }, aroundOf(pod, container, services, '')),
    ...image.forced,
  }
}

/** The arguments that have a container of the pod run in the foreground. */
export function runArguments(work: Work, name: string, shared: Shared): string[] {
  const { pod, container, image, limits, args } = work
  const [entrypoint, ...words] = wordsOf(work)
  return [
    'run',
    ...['--name', name, '--label', shared.label],
    // As every process of this machine: nothing between it and its callers, and no network to be left behind.
    ...['--network', 'host'],
    // The lab keeps what it says; ended, it is gone at once.
    ...['--log-driver', 'none', '--stop-timeout', '0'],
    // Volumes are folders of this machine, which SELinux would keep from a container.
    ...['--security-opt', 'label=disable'],
    ...shared.ulimits.flatMap((limit) => ['--ulimit', limit]),
    ...(limits ? placed(limits, shared.coresOf(image), shared) : []),
    ...userOf(container, shared),
    ...(container.readOnlyRoot ? ['--read-only'] : []),
    ...mountsOf(pod, container),
    ...Object.entries(image.binds ?? {}).flatMap(([path, folder]) => ['--volume', `${folder}:${path}:ro`]),
    // What the lab has its image do is about files of this machine.
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

/** What is run first, if not what the image itself begins with, and the arguments. */
function wordsOf({ pod, container, image, services, args }: Work): [string | undefined, ...string[]] {
  const begin = args ? image.entrypoint : (container.command ?? image.entrypoint)
  const [entrypoint, ...rest] = translated(begin, pod, container, services, '')
  return [entrypoint, ...rest, ...(args ?? translated(container.args, pod, container, services, ''))]
}

function placed({ cpu, memory }: Limits, cores: number[], { limits }: Shared): string[] {
  return [
    ...['--cpuset-cpus', cores.join(',')],
    ...(limits && cpu !== null ? ['--cpus', String(cpu)] : []),
    // Kubernetes grants no swap.
    ...(limits && memory !== null
      ? ['--memory', String(Math.floor(memory)), '--memory-swap', String(Math.floor(memory))]
      : []),
  ]
}

/** Root may give the volumes to whom the pod names; for anybody else they are the caller's own. */
function userOf({ user }: Container, { program, caller }: Shared): string[] {
  if (!caller) return user ? ['--user', `${user.uid}:${user.gid}`] : []
  return ['--user', `${caller.uid}:${caller.gid}`, ...(program === 'podman' ? ['--userns', 'keep-id'] : [])]
}

function mountsOf({ workload, volumes }: Pod, { mounts }: Container): string[] {
  const files = new Set(workload.volumes.filter(({ kind }) => kind === 'files').map(({ name }) => name))
  return mounts.flatMap(({ path, volume, subPath }) => [
    '--volume',
    `${join(volumes.get(volume)!, subPath ?? '')}:${path}${files.has(volume) ? ':ro' : ''}`,
  ])
}

/**
 * The rest goes by the client's environment, since arguments can be read by others; but not in place of the client's
 * own.
 */
export const isClients = (variable: string) =>
  /^(PATH|HOME|USER|TMPDIR|LANG|(XDG|DOCKER|CONTAINERS?|DBUS)_.*)$/.test(variable)
