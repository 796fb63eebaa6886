import type { Fail } from '../../lib/fail.ts'
import type { OutsideOrder } from '../outside.ts'
import type { OpenBalancer } from './balancer.ts'
import type { Engine } from './engine.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Scratch } from './scratch.ts'

/** What the plans on this machine share. */
export interface Machine {
  /** Starts the containers of a plan. */
  engine: Engine
  /** Limits programs that are not containers. */
  limiter: Limiter
  scratch: Scratch
  /** Answers in place of the services that workflows call; null if the workflows call the real ones. */
  outside: OutsideOrder | null
  fail: Fail
  /** Stands before the replicas of a plan. */
  openBalancer: OpenBalancer
  /** Puts a command on the generator's cores. */
  placeBeside(argv: string[]): string[]
  /** Receives a plan as soon as there may be something to remove. */
  register(plan: { down(): Promise<void> }): void
}
