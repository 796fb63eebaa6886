import { z } from 'zod'
import { deathCodes } from './deaths.ts'

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
