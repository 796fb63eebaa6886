import type { Container, User } from '../../../chart/plan.ts'
import type { Order } from '../../target.ts'

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
