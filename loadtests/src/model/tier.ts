import { z } from 'zod'

/** The tier, as the chart states it. */
export const Tier = z.strictObject({
  name: z.string().describe('n8n-defaults, tuned, lean or patched.'),
  givesUp: z.array(z.string()).describe('In the chart’s words: the history of successful executions.'),
  patches: z.array(z.string()).describe('Patches of n8n’s code that its processes are asked to apply.'),
  chart: z.string().optional().describe('The chart’s own version; absent in runs of earlier versions.'),
  image: z
    .string()
    .optional()
    .describe('The image that the chart names for n8n, with a digest where one is pinned; absent as above.'),
})
export type Tier = z.infer<typeof Tier>

/** The state of a patch of n8n's code, as reported by the process that was asked to apply it. */
export const PatchState = z.strictObject({
  patch: z.string(),
  state: z.enum(['applied', 'skipped', 'off']),
  reason: z.string().nullable().describe('Why it was skipped; null where the process gives no reason.'),
})
export type PatchState = z.infer<typeof PatchState>

export const TierInForce = Tier.extend({
  trustsEditors: z.boolean().describe('A switch beside each tier: expressions run without isolation.'),
  applied: z.array(z.string()).describe('By every process that was asked to.'),
  skipped: z.array(z.strictObject({ patch: z.string(), reason: z.string().nullable() })),
}).describe('What is lost with the chart’s settings, and the outcome of the patches they ask for.')
export type TierInForce = z.infer<typeof TierInForce>
