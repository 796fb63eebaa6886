import { join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import type { Container, Workload } from '../../chart/plan.ts'
import { processName } from '../../lib/process-name.ts'
import { freePorts } from '../../lib/ports.ts'
import type { LocalImage, User } from './images.ts'
import { machineNetwork, type Network } from './network.ts'
import { resolveEnv, resolveText, type Surroundings } from '../../chart/resolve.ts'
import { asUser, giveTo, makeRoot, makeVolumes } from './volumes.ts'

/** One replica of a workload: its folder, its volumes, and its ports on loopback. */
export interface LocalPod {
  name: string
  workload: Workload
  folder: string
  volumes: Map<string, string>
  ports: Map<number, number>
  network: Network
  /** Its disk, where that is not the machine's. */
  disk?: OwnDisk
  /** Its clock, where that is not the machine's. */
  clock?: OwnClock
  /** The owner of its volumes, unless that is the user who runs the lab. */
  owner: User | null
}

/**
 * A disk of one folder's own, in memory. Only a process that enters sees it, and it goes with the last one, so nothing
 * of it stays if the lab is killed.
 */
export interface OwnDisk {
  /** The command that runs `argv` where the disk is seen. */
  enter(argv: string[], cwd: string): string[]
  /** Leaves no room on it; returns a function that gives the room back. */
  fill(): Promise<() => Promise<void>>
}

/**
 * A clock that the lab can move, for the processes that start with its variables. libfaketime answers them in the
 * kernel's place. What measures durations is not moved, as on a machine whose clock is set.
 */
export interface OwnClock {
  env: Record<string, string>
  /** Sets it an hour ahead; returns a function that sets it back. */
  move(): Promise<() => Promise<void>>
}

/** How an engine treats the volumes of a pod. */
export interface VolumeRules {
  /** Whether it mounts volumes itself. */
  mounts: boolean
  /** The owner of a pod's volumes, unless that is the user who runs the lab. */
  ownerOf(workload: Workload, images: LocalImage[]): User | null
}

/** Where pods are made. */
export interface PodPlace {
  /** The plan's folder, which nobody else enters. */
  folder: string
  imageOf(container: Container): LocalImage
  network?: Network
  engine?: VolumeRules
  /** Makes a folder that only this user enters. */
  folderOf(user: User): Promise<string>
}

export async function makePod(
  workload: Workload,
  index: number,
  { folder, imageOf, network = machineNetwork, engine = { ownerOf: () => null, mounts: false }, folderOf }: PodPlace,
): Promise<LocalPod> {
  const name = processName(workload.component, index)
  const images = workload.containers.map(imageOf)
  const owner = engine.ownerOf(workload, images)
  // A container's runtime mounts volumes itself, as root. A process of another user has to enter them by itself.
  const pod = join(owner && !engine.mounts ? await folderOf(owner) : folder, name)
  const ports = [
    ...workload.containers.flatMap((container) => container.ports.map(({ port }) => port)),
    ...images.flatMap(({ listens }) => Object.values(listens)),
  ]
  const declared = [...new Set(ports)]
  const free = await freePorts(declared.length)
  await network.open(free)
  // Its volumes hold secrets.
  makeFolder(pod, 0o700)
  const volumes = await makeVolumes(workload.volumes, join(pod, 'volumes'))
  for (const container of [...workload.init, ...workload.containers])
    await makeRoot(container, volumes, join(pod, container.name), engine.mounts)
  await giveTo(owner, pod)
  return {
    name,
    workload,
    folder: pod,
    volumes,
    ports: new Map(declared.map((port, position) => [port, free[position]!])),
    network,
    owner,
  }
}

/** The loopback port for a port of the pod, given by number or name. */
export function portOf(pod: LocalPod, port: string | number): number {
  const named = pod.workload.containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)
  return pod.ports.get(named?.port ?? Number(port))!
}

/** The address at which the lab reaches a port of the pod. */
export const urlOf = (pod: LocalPod, port: string | number) => `http://${pod.network.address}:${portOf(pod, port)}`

export interface Command {
  argv: string[]
  env: Record<string, string>
  cwd: string
}

/** What to start for a container of the pod: the chart's command, or another one with paths of this machine. */
export function commandFor(
  pod: LocalPod,
  container: Container,
  image: LocalImage,
  services: Surroundings['services'],
  run?: string[],
): Command {
  const around = aroundOf(pod, container, services)
  const chartsOwn = (words: string[]) => translated(words, pod, container, services)
  const argv = run ?? [
    ...(container.command ? chartsOwn(container.command) : image.entrypoint),
    ...chartsOwn(container.args),
  ]
  const own = asUser(image.user, argv)
  return {
    argv: pod.network.enter(pod.disk?.enter(own, around.root) ?? own, around.root),
    env: {
      ...image.env,
      HOME: join(around.root, 'home/node'),
      TMPDIR: join(around.root, 'tmp'),
      ...resolveEnv({ ...defaultPorts(image), ...container.env }, around),
      ...image.forced,
      ...pod.clock?.env,
    },
    cwd: around.root,
  }
}

/** Translates a command for the container into one for this machine. */
export function translated(
  command: string[],
  pod: LocalPod,
  container: Container,
  services: Surroundings['services'],
  root?: string,
): string[] {
  const around = aroundOf(pod, container, services, root)
  return command.map((argument) => resolveText(argument, around))
}

/** A container with its own root keeps its paths. */
export function aroundOf(
  pod: LocalPod,
  container: Container,
  services: Surroundings['services'],
  root = join(pod.folder, container.name),
): Surroundings {
  return { ports: pod.ports, root, mounts: container.mounts.map(({ path }) => path), services }
}

export const defaultPorts = ({ listens }: LocalImage) =>
  Object.fromEntries(Object.entries(listens).map(([name, port]) => [name, String(port)]))
