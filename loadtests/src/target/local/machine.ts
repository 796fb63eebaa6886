import type { Limiter } from './limits/limiter.ts'
import type { Scratch } from './scratch.ts'

/** What plans on this machine share. */
export interface Machine {
  limiter: Limiter
  scratch: Scratch
  /** Puts a command on the cores that n8n has. */
  place(argv: string[]): string[]
  /** Puts a command on the generator's. */
  placeBeside(argv: string[]): string[]
  /** Told of a plan as soon as it may have something to take down. */
  register(plan: { down(): Promise<void> }): void
}
