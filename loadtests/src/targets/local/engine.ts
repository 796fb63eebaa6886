import type { Container, Image } from '../../chart/plan.ts'
import type { Limit } from '../../model/result.ts'
import { onCores } from './cores.ts'
import { type ImageOrder, type LocalImage, localImage } from './images.ts'
import type { Box, Limiter } from './limits/limiter.ts'
import { type Command, type LocalPod, type VolumeRules, commandFor, translated } from './pod.ts'
import type { Surroundings } from '../../chart/resolve.ts'

/** How a container of a plan starts on this machine: as a process, or with a container runtime. */
export interface Engine extends VolumeRules {
  /** For the record: `processes`, or `containers of podman 4.3.1`. */
  name: string
  /** For the record: how limits are enforced. */
  limits: { kind: string; enforced: boolean }
  /** Whether it can start a program in a network other than the machine’s. */
  entersNetworks: boolean
  image(image: Image, order: ImageOrder): Promise<LocalImage>
  /** How to start it, as often as needed, and its box. */
  prepare(work: ContainerWork): Promise<{ command: Command; box: Box }>
  /** Runs a command, written for the container, inside it while it runs. */
  inside(work: ContainerWork, command: string[]): Command
}

export interface ContainerWork {
  /** A name that no other container of this lab has. */
  name: string
  pod: LocalPod
  container: Container
  image: LocalImage
  services: Surroundings['services']
  /** Null: on all cores and without limits. */
  limits: Limit | null
  /** The command and arguments for its image, instead of the chart's. */
  args?: string[]
}

/** Its name, for the record. */
export const processes = 'processes'

const none = { cpu: null, memory: null }

/** Runs every container as a process of this machine, in a box of the limiter. */
export function processEngine(limiter: Limiter, coresOf: (image: LocalImage, limited: boolean) => number[]): Engine {
  return {
    name: processes,
    limits: { kind: limiter.kind, enforced: limiter.enforced },
    entersNetworks: true,
    image: localImage,
    mounts: false,
    ownerOf: (_, images) => images.find(({ user }) => user)?.user ?? null,
    async prepare({ name, pod, container, image, services, limits, args }) {
      const command = commandFor(pod, container, image, services, args && [...image.entrypoint, ...args])
      return {
        command: { ...command, argv: onCores(coresOf(image, limits !== null), command.argv) },
        box: await limiter.box(name, limits ?? none),
      }
    },
    inside: ({ pod, container, image, services }, command) =>
      commandFor(pod, container, image, services, translated(command, pod, container, services)),
  }
}
