import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container, Workload } from '../../chart/plan.ts'
import { processName } from '../../shared/process-name.ts'
import { freePorts } from '../../support/ports.ts'
import type { LocalImage, User } from './images/image.ts'
import { machineNetwork, type Network } from './network.ts'
import { resolveEnv, resolveText, type Surroundings } from './resolve.ts'
import { asUser, giveTo } from './user.ts'
import { makeRoot, makeVolumes } from './volumes.ts'

/** One replica of a workload: its folder, its volumes, and where its ports are on loopback. */
export interface Pod {
  name: string
  workload: Workload
  folder: string
  volumes: Map<string, string>
  ports: Map<number, number>
  network: Network
  /** Whose its volumes are, where not of whoever runs the lab. */
  owner: User | null
}

/** What an engine does about the volumes of a pod. */
export interface VolumeRules {
  /** Does it mount volumes by itself? */
  mounts: boolean
  /** Whose a pod's volumes are, where not of whoever runs the lab. */
  ownerOf(workload: Workload, images: LocalImage[]): User | null
}

export async function makePod(
  workload: Workload,
  index: number,
  folder: string,
  imageOf: (container: Container) => LocalImage,
  network = machineNetwork,
  engine: VolumeRules = { ownerOf: () => null, mounts: false },
): Promise<Pod> {
  const name = processName(workload.component, index)
  const pod = join(folder, name)
  const images = workload.containers.map(imageOf)
  const ports = [
    ...workload.containers.flatMap((container) => container.ports.map(({ port }) => port)),
    ...images.flatMap(({ listens }) => Object.values(listens)),
  ]
  const declared = [...new Set(ports)]
  const free = await freePorts(declared.length)
  // Its volumes hold secrets.
  await mkdir(pod, { recursive: true, mode: 0o700 })
  const volumes = await makeVolumes(workload.volumes, join(pod, 'volumes'))
  for (const container of [...workload.init, ...workload.containers])
    await makeRoot(container, volumes, join(pod, container.name), engine.mounts)
  const owner = engine.ownerOf(workload, images)
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

/** Where a port of the pod, by number or by name, is on loopback. */
export function portOf(pod: Pod, port: string | number): number {
  const named = pod.workload.containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)
  return pod.ports.get(named?.port ?? Number(port))!
}

/** Where the lab reaches a port of the pod. */
export const urlOf = (pod: Pod, port: string | number) => `http://${pod.network.address}:${portOf(pod, port)}`

export interface Command {
  argv: string[]
  env: Record<string, string>
  cwd: string
}

/** What to start for a container of the pod: what the chart says, or another command in this machine's own words. */
export function commandFor(
  pod: Pod,
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
  return {
    argv: pod.network.enter(asUser(image.user, argv)),
    env: {
      ...image.env,
      HOME: join(around.root, 'home/node'),
      TMPDIR: join(around.root, 'tmp'),
      ...resolveEnv({ ...defaultPorts(image), ...container.env }, around),
      ...image.forced,
    },
    cwd: around.root,
  }
}

/** A command in the container's words, in this machine's. */
export function translated(
  command: string[],
  pod: Pod,
  container: Container,
  services: Surroundings['services'],
  root?: string,
): string[] {
  const around = aroundOf(pod, container, services, root)
  return command.map((argument) => resolveText(argument, around))
}

/** A root of its own, as a real container has, leaves paths as they are. */
export function aroundOf(
  pod: Pod,
  container: Container,
  services: Surroundings['services'],
  root = join(pod.folder, container.name),
): Surroundings {
  return { ports: pod.ports, root, mounts: container.mounts.map(({ path }) => path), services }
}

export const defaultPorts = ({ listens }: LocalImage) =>
  Object.fromEntries(Object.entries(listens).map(([name, port]) => [name, String(port)]))
