import { z } from 'zod'

/** How a process may die under load: its exit, and the reason why a step does not hold, have the same codes. */
export const deathCodes = ['oom-killed', 'heap-exhausted', 'crashed'] as const

export type DeathCode = (typeof deathCodes)[number]

export const isDeath = (code: string): code is DeathCode => (deathCodes as readonly string[]).includes(code)

/** Something that happens to a container, reported at once. */

export const Exit = z.strictObject({
  reason: z.enum([...deathCodes, 'stopped']),
  code: z.number().nullable(),
  signal: z.string().nullable(),
  log: z.array(z.string()).describe('The last lines of its log.'),
})
export type Exit = z.infer<typeof Exit>

export const TargetEvent = z.strictObject({
  at: z.number(),
  process: z.string(),
  kind: z.enum(['started', 'ready', 'exited']),
  exit: Exit.optional().describe('For `exited`.'),
})
export type TargetEvent = z.infer<typeof TargetEvent>
