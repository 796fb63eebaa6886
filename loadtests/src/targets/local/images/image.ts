import type { User } from '../../../chart/plan.ts'
import type { Order } from '../../target.ts'

/** What an image stands for on a machine without containers: a program and its environment. */
export interface LocalImage {
  entrypoint: string[]
  env: Record<string, string>
  /** The ports it listens on by default, by the variable that changes each. */
  listens: Record<string, number>
  /** The user who runs it, where that must not be the user who runs the lab. */
  user: User | null
  /** Whether it is n8n itself, or a store that n8n needs before it can start. */
  kind: 'n8n' | 'postgresql' | 'redis'
  /** Variables that override those of the plan. */
  forced?: Record<string, string>
  /** Its name for a container runtime. */
  id?: string
  /** Folders of this project that its containers see, by path. */
  binds?: Record<string, string>
}

export type { User }

export type ImageOrder = Pick<Order, 'signal' | 'onProgress'>
