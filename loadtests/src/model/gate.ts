import { z } from 'zod'
import { Values } from './experiment.ts'

/** Whether anything got worse, against an earlier run or the first variant. */

const where = { variant: z.string(), workflow: z.string(), cell: Values }

export const Bounds = z
  .strictObject({
    capacity: z.number(),
    memory: z.number(),
    cpu: z.number().describe('Only of variants that get the same load.'),
  })
  .describe('The shares by which capacity may fall, and memory and CPU for each request may grow.')
export type Bounds = z.infer<typeof Bounds>

export const GateFigures = z.strictObject({
  ...where,
  capacities: z.array(z.number()).describe('One for each repeat.'),
  peaks: z.array(z.number()),
})
export type GateFigures = z.infer<typeof GateFigures>

/** What a run is compared with, written down when it begins. Without an earlier run, it is its own first variant. */
export const GateAsked = z.strictObject({
  bounds: Bounds,
  earlier: z
    .strictObject({ id: z.string(), calibration: z.number().nullable(), results: z.array(GateFigures) })
    .nullable(),
})
export type GateAsked = z.infer<typeof GateAsked>

export const GateVerdict = z.strictObject({
  ...where,
  measure: z.enum(['capacity', 'memory', 'cpu']),
  bound: z.number(),
  change: z.number().nullable().describe('After ÷ before − 1.'),
  within: z.number().nullable().describe('The ± of that share, right 19 times in 20; null with one run.'),
  verdict: z
    .enum(['better', 'passed', 'worse', 'unsure'])
    .describe('Passed: it is not worse beyond the bound, with that certainty.'),
  text: z.string(),
})
export type GateVerdict = z.infer<typeof GateVerdict>

export const Gate = z.strictObject({
  bounds: Bounds,
  against: z.string().nullable().describe('The earlier run.'),
  verdicts: z.array(GateVerdict),
  warning: z.string().nullable().describe('Why the comparison may say little.'),
})
export type Gate = z.infer<typeof Gate>
