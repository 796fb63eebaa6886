import { z } from 'zod'

/** The load that a run is asked for. Durations are seconds, rates are requests a second. */

export const Arrivals = z.enum(['random', 'even'])
/** How requests arrive that do not wait for each other: as independent callers send them, or like a metronome. */
export type Arrivals = z.infer<typeof Arrivals>

export const clients = z.number().int().min(1).max(10_000)
export const rate = z.number().positive().max(50_000)
/** Of a search, where nobody says another. */
export const usualMost = 20_000
const seconds = z.number().positive()
const weights = z.record(z.string(), z.number().positive())

/** A request without an answer for `timeout` counts as failed. */
const timeout = { timeout: seconds }
const open = { ...timeout, arrivals: Arrivals.optional().describe('Absent in runs of earlier versions: even.') }

export const Search = z.strictObject({
  shape: z.literal('search'),
  min: rate,
  max: rate,
  step: seconds,
  precision: z.number().min(0).max(1),
  budget: seconds.optional().describe('Of load in one search, beside its warm-up; absent: five steps.'),
  weights: weights.optional(),
  ...open,
})
export type Search = z.infer<typeof Search>

/** Every shape by itself, for the profile, which writes durations as text. */
export const shapes = {
  closed: z.strictObject({ shape: z.literal('closed'), vus: clients, duration: seconds, ...timeout }),
  constant: z.strictObject({ shape: z.literal('constant'), rate, duration: seconds, ...open }),
  ramp: z.strictObject({ shape: z.literal('ramp'), from: rate, to: rate, duration: seconds, ...open }),
  spike: z.strictObject({ shape: z.literal('spike'), rate, peak: rate, duration: seconds, ...open }),
  soak: z.strictObject({ shape: z.literal('soak'), rate, duration: seconds, ...open }),
  herd: z.strictObject({ shape: z.literal('herd'), rate, waiting: clients, duration: seconds, ...open }),
  mixed: z.strictObject({
    shape: z.literal('mixed'),
    rate,
    weights: weights.describe('By workflow; 1 where it is absent.'),
    duration: seconds,
    ...open,
  }),
  search: Search,
}

export const Load = z
  .discriminatedUnion('shape', [
    shapes.closed,
    shapes.constant,
    shapes.ramp,
    shapes.spike,
    shapes.soak,
    shapes.herd,
    shapes.mixed,
    shapes.search,
  ])
  .describe('Durations are seconds, rates are requests a second.')
export type Load = z.infer<typeof Load>

/** In a mix: how often each workflow is called, compared with the others. */
export const weightsOf = (load: Load): Record<string, number> | undefined =>
  'weights' in load ? load.weights : undefined

/** How its requests arrive, to hand on to another open load. */
export const arrivalsOf = (load: Load): { arrivals?: Arrivals } =>
  load.shape === 'closed' || load.arrivals === undefined ? {} : { arrivals: load.arrivals }
