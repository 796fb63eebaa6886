import type { OutsideOrder } from '../outside.ts'
import type { Engine } from './engine.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Scratch } from './scratch.ts'

/** What plans on this machine share. */
export interface Machine {
  /** Starts what is a container of the plan. */
  engine: Engine
  /** Limits what is none. */
  limiter: Limiter
  scratch: Scratch
  /** What stands in for the services that workflows call; null where they are called themselves. */
  outside: OutsideOrder | null
  /** Puts a command on the generator's cores. */
  placeBeside(argv: string[]): string[]
  /** Told of a plan as soon as it may have something to take down. */
  register(plan: { down(): Promise<void> }): void
}
