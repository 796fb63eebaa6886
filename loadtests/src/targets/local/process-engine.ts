import { onCores } from './cores.ts'
import type { Engine } from './engine.ts'
import type { LocalImage } from './images/image.ts'
import { localImage } from './images/images.ts'
import type { Limiter } from './limits/limiter.ts'
import { commandFor, translated } from './pod.ts'

const none = { cpu: null, memory: null }

/** Runs every container as a process of this machine, in a box of the limiter. */
export function processEngine(limiter: Limiter, coresOf: (image: LocalImage, limited: boolean) => number[]): Engine {
  return {
    name: 'processes',
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
