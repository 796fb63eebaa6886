import type { Container, Image, User } from '../../../chart/plan.ts'
import { errors } from '../../../errors.ts'
import type { Order } from '../../target.ts'
import { bareServer } from './bare-server.ts'
import { n8n } from './n8n.ts'
import { postgresql } from './postgresql.ts'
import { redis } from './redis.ts'
import { runners } from './runners.ts'

/** What an image means on a machine without containers: a program and the environment it brings. */
export interface LocalImage {
  entrypoint: string[]
  env: Record<string, string>
  /** Ports it listens on unless told otherwise, by the variable that tells it. */
  listens: Record<string, number>
  /** Who runs it, where that must be somebody else than who runs the lab. */
  user: User | null
  /** n8n itself, or what n8n needs before it can start. */
  kind: 'n8n' | 'store' | 'server'
  /** Variables that go over whatever the plan says. */
  forced?: Record<string, string>
  /** Processes inside that are each looked at by themselves, where there are such: by MEMBER in their environment. */
  members?(container: Container): Member[]
  /** What a container runtime knows it by. */
  id?: string
  /** Folders of this project that a container of it is shown, by where. */
  binds?: Record<string, string>
}

export interface Member {
  name: string
  serves: boolean
}

export type { User }

export type ImageOrder = Pick<Order, 'signal' | 'onProgress'>

const images: Record<string, (image: Image, order: ImageOrder) => Promise<LocalImage>> = { n8n, runners, redis, postgres: postgresql, 'bare-server': bareServer }

/** By the last part of its name: a registry of one's own does not change what is in it. */
export async function localImage(image: Image, order: ImageOrder): Promise<LocalImage> {
  const make = images[image.repository.split('/').at(-1)!]
  if (!make) throw errors.notOnThisTarget(`the image ${image.repository}`, `On one machine the lab knows ${Object.keys(images).join(', ')}; give the others in a cluster.`)
  return make(image, order)
}
