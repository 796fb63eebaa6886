import { join } from 'node:path'
import type { Container, Workload } from '../../chart/plan.ts'
import type { LocalImage } from './image.ts'
import { freePorts } from '../../ports.ts'
import { resolveEnv, resolveText, type Surroundings } from './resolve.ts'
import { makeRoot, makeVolumes } from './volumes.ts'

/** One replica of a workload: its folder, its volumes, and where its ports are on loopback. */
export interface Pod {
  name: string
  workload: Workload
  folder: string
  volumes: Map<string, string>
  ports: Map<number, number>
}

export async function makePod(workload: Workload, index: number, folder: string, imageOf: (container: Container) => LocalImage): Promise<Pod> {
  const name = `${workload.component}-${index}`
  const ports = workload.containers.flatMap((container) => [...container.ports.map(({ port }) => port), ...Object.values(imageOf(container).listens)])
  const declared = [...new Set(ports)]
  const free = await freePorts(declared.length)
  return {
    name,
    workload,
    folder: join(folder, name),
    volumes: await makeVolumes(workload.volumes, join(folder, name, 'volumes')),
    ports: new Map(declared.map((port, position) => [port, free[position]!])),
  }
}

/** Where a port of the pod, by number or by name, is on loopback. */
export function portOf(pod: Pod, port: string | number): number {
  const named = pod.workload.containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)
  return pod.ports.get(named?.port ?? Number(port))!
}

export interface Command {
  argv: string[]
  env: Record<string, string>
  cwd: string
}

/** What to start for a container of the pod; `args`, in this machine's own paths, run another command of its image. */
export async function commandFor(pod: Pod, container: Container, image: LocalImage, services: Surroundings['services'], args?: string[]): Promise<Command> {
  const root = join(pod.folder, container.name)
  await makeRoot(container, pod.volumes, root)
  const around: Surroundings = { ports: pod.ports, root, mounts: container.mounts.map(({ path }) => path), services }
  const own = [...(container.command ?? image.entrypoint), ...container.args].map((argument) => resolveText(argument, around))
  return {
    argv: args ? [...image.entrypoint, ...args] : own,
    env: { ...image.env, HOME: join(root, 'home/node'), TMPDIR: join(root, 'tmp'), ...resolveEnv({ ...defaultPorts(image), ...container.env }, around) },
    cwd: root,
  }
}

const defaultPorts = ({ listens }: LocalImage) => Object.fromEntries(Object.entries(listens).map(([name, port]) => [name, String(port)]))
