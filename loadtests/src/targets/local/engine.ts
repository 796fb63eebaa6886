import type { Container, Image, Limits } from '../../chart/plan.ts'
import type { ImageOrder, LocalImage } from './images/image.ts'
import type { Box } from './limits/limiter.ts'
import type { Command, Pod, VolumeRules } from './pod.ts'
import type { Surroundings } from './resolve.ts'

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
  prepare(work: Work): Promise<{ command: Command; box: Box }>
  /** Runs a command, written for the container, inside it while it runs. */
  inside(work: Work, command: string[]): Command
}

export interface Work {
  /** A name that no other container of this lab has. */
  name: string
  pod: Pod
  container: Container
  image: LocalImage
  services: Surroundings['services']
  /** Null: on all cores and without limits. */
  limits: Limits | null
  /** The command and arguments for its image, instead of the chart's. */
  args?: string[]
}
