import type { Container, Image, Limits } from '../../chart/plan.ts'
import type { ImageOrder, LocalImage } from './images/image.ts'
import type { Box } from './limits/limiter.ts'
import type { Command, Pod, VolumeRules } from './pod.ts'
import type { Surroundings } from './resolve.ts'

/** How a container of a plan is started on this machine: as a process, or by a container runtime. */
export interface Engine extends VolumeRules {
  /** For the record: `processes`, or `containers of podman 4.3.1`. */
  name: string
  /** For the record: how limits are enforced. */
  limits: { kind: string; enforced: boolean }
  /** Can what it starts be put into a network that is not the machine’s? */
  entersNetworks: boolean
  image(image: Image, order: ImageOrder): Promise<LocalImage>
  /** What starts it, as often as is asked, and the box that it is in. */
  prepare(work: Work): Promise<{ command: Command; box: Box }>
  /** A command in the container's own words, to be run in that container while it runs. */
  inside(work: Work, command: string[]): Command
}

export interface Work {
  /** No other container of this lab has it. */
  name: string
  pod: Pod
  container: Container
  image: LocalImage
  services: Surroundings['services']
  /** Null: on all cores and without limits. */
  limits: Limits | null
  /** Told to its image, in place of what the chart says. */
  args?: string[]
}
