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
  baseline: z.string().nullable().describe('The variant that it is compared with; null where an earlier run is.'),
  measure: z.enum(['capacity', 'memory', 'cpu']),
  bound: z.number(),
  was: z
    .number()
    .nullable()
    .describe(
      'Before, the median: requests a second, bytes, or CPU seconds of a request. Null where nothing tells it.',
    ),
  now: z.number().nullable().describe('The same after; null where nothing tells it.'),
  change: z.number().nullable().describe('After ÷ before − 1.'),
  within: z.number().nullable().describe('The ± of that share, right 19 times in 20; null with one run.'),
  verdict: z
    .enum(['better', 'passed', 'worse', 'unsure'])
    .describe('Passed: it is not worse beyond the bound, with that certainty.'),
  without: z
    .enum(['sustains-nothing', 'does-not-sustain', 'cpu-unseen', 'no-common-round', 'no-counterpart'])
    .nullable()
    .describe('What the verdict rests on without two figures; null where it rests on them.'),
})
export type GateVerdict = z.infer<typeof GateVerdict>

export const Gate = z.strictObject({
  bounds: Bounds,
  against: z.string().nullable().describe('The earlier run.'),
  verdicts: z.array(GateVerdict),
  apart: z
    .number()
    .nullable()
    .describe('What a bare Node server answers more here than there, a share; null where the machines do not differ.'),
})
export type Gate = z.infer<typeof Gate>

export const WrittenGate = Gate.extend({
  verdicts: z.array(GateVerdict.extend({ text: z.string() })),
  warning: z.string().nullable().describe('Why the comparison may say little.'),
})
