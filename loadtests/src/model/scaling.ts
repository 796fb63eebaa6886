import { z } from 'zod'
import { Values } from './experiment.ts'

/**
 * The Universal Scalability Law: N replicas sustain X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)). λ is the rate of one
 * replica. σ is the share of work that they must do one after the other. κ is the cost of coordinating each replica
 * with every other.
 */
export const Law = z.strictObject({ lambda: z.number(), sigma: z.number(), kappa: z.number() })
export type Law = z.infer<typeof Law>

/** The rate that so many replicas sustain; also between whole numbers, for charts. */
export function rateAt({ lambda, sigma, kappa }: Law, replicas: number): number {
  return (lambda * replicas) / (1 + sigma * (replicas - 1) + kappa * replicas * (replicas - 1))
}

const NoLaw = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('too-few-sizes'), sizes: z.number(), least: z.number() }),
  z.strictObject({ code: z.literal('one-held-nothing') }),
  z.strictObject({
    code: z.literal('off-the-law'),
    replicas: z.number(),
    share: z.number().describe('(measured − expected by the law) ÷ expected.'),
    allowed: z.number(),
  }),
])
export type NoLaw = z.infer<typeof NoLaw>

export const ScalingResult = z
  .strictObject({
    variant: z.string(),
    workflow: z.string(),
    setting: z.string().describe('The Helm value that is the number of replicas.'),
    cell: Values.describe('The rest of the cell.'),
    points: z.array(z.strictObject({ replicas: z.number(), rate: z.number(), spread: z.number().nullable() })),
    law: Law.nullable().describe('Null where the points follow no law, which `noLaw` explains.'),
    residuals: z.array(z.strictObject({ replicas: z.number(), share: z.number() })),
    peak: z
      .number()
      .nullable()
      .describe('The number above which one more sustains less; null where the points show none, or no law fits.'),
    linear: z
      .boolean()
      .optional()
      .describe('No replica takes anything from the others, as far as measured. Absent in runs of earlier versions.'),
    forecast: z
      .array(z.strictObject({ replicas: z.number(), low: z.number(), high: z.number() }))
      .optional()
      .describe(
        'What so many sustain, right 19 times in 20, up to twice as many as were measured; absent where no law fits.',
      ),
    noLaw: NoLaw.nullable().describe('Why no law goes through the points; null where one does.'),
  })
  .describe('How capacity grows with replicas, everything else the same.')
export type ScalingResult = z.infer<typeof ScalingResult>

export const WrittenScaling = ScalingResult.extend({
  refused: z.string().nullable().describe('The same in words.'),
  text: z.string(),
}).describe(ScalingResult.description!)
