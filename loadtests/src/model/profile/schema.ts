import { z } from 'zod'
import { faultNames } from '../../fault/fault-table.ts'
import { parseFault } from '../../fault/faults.ts'
import { usualShare } from '../operating.ts'
import { usualPrice } from '../price.ts'
import { outsideSchema } from './outside.ts'
import { parseDuration, parseShare } from './units.ts'

/** The keys of a profile. Messages continue "Expected …, got …", which load.ts writes. */

// Of unknown type, so that the message for `duration: 60` shows what a duration looks like, and not just that it is no
// string.
const duration = (inMs: (ms: number) => number) =>
  z.unknown().transform((given, ctx) => {
    const ms = typeof given === 'string' ? parseDuration(given) : undefined
    if (ms !== undefined && ms > 0) return inMs(ms)
    ctx.addIssue({ code: 'custom', message: 'a duration such as 500ms, 30s or 2m' })
    return z.NEVER
  })

const seconds = duration((ms) => ms / 1000)
const milliseconds = duration((ms) => ms)

const share = z.unknown().transform((given, ctx) => {
  const parsed = parseShare(String(given))
  if (parsed !== undefined) return parsed
  ctx.addIssue({ code: 'custom', message: 'a share such as 0.1% or 0.001' })
  return z.NEVER
})

const values = z.record(z.string(), z.unknown())
const name = z.string().regex(/^[a-z0-9][a-z0-9.-]*$/, 'a name of lower-case letters, digits, dots and dashes')
const clients = z.number().int().min(1).max(10_000)
const rate = z.number().positive().max(50_000)
/** A request without an answer for this long counts as failed. */
const timeout = seconds.default(30)

const arrivals = z.enum(['random', 'even']).default('random')

const weights = z.record(z.string(), z.number().positive())

const search = z
  .strictObject({
    shape: z.literal('search'),
    min: rate.default(0.5),
    max: rate.default(2000),
    step: seconds.default(20),
    precision: share.default(0.05),
    weights: weights.optional(),
    timeout,
    arrivals,
  })
  .refine(({ min, max }) => min < max, { path: ['max'], message: 'a rate above load.min' })

const spike = z
  .strictObject({ shape: z.literal('spike'), rate, peak: rate, duration: seconds, timeout, arrivals })
  .refine(({ rate: calm, peak }) => peak > calm, { path: ['peak'], message: 'a rate above load.rate' })

const load = z.discriminatedUnion('shape', [
  z.strictObject({ shape: z.literal('closed'), vus: clients, duration: seconds, timeout }),
  z.strictObject({ shape: z.literal('constant'), rate, duration: seconds, timeout, arrivals }),
  z.strictObject({ shape: z.literal('ramp'), from: rate.default(1), to: rate, duration: seconds, timeout, arrivals }),
  spike,
  z.strictObject({ shape: z.literal('soak'), rate, duration: seconds.default(3600), timeout, arrivals }),
  z.strictObject({
    shape: z.literal('mixed'),
    rate,
    weights: weights.default({}),
    duration: seconds,
    timeout,
    arrivals,
  }),
  z.strictObject({ shape: z.literal('herd'), rate, waiting: clients, duration: seconds, timeout, arrivals }),
  search,
])

const objectives = {
  p95: milliseconds,
  p99: milliseconds.optional(),
  'p99.9': milliseconds.optional(),
  errors: share,
}

export const sloSchema = z.strictObject({
  ...objectives,
  p95: milliseconds.default(500),
  errors: share.default(0.001),
  backlog: share.default(0.05),
})

/** What one workflow of a mix must meet, where that differs. */
const ownSloSchema = z.strictObject(objectives).partial()

const priceSchema = z.strictObject({
  cpu: z.number().min(0).default(usualPrice.cpu),
  memory: z.number().min(0).default(usualPrice.memory),
})

/** A name, optionally with its requests: one, several kinds, or a file of them. The workload checks them. */
const workflow = z.preprocess(
  (given) => (typeof given === 'string' ? { workflow: given } : given),
  z.strictObject({ workflow: z.string().min(1), request: z.unknown().optional(), slo: ownSloSchema.optional() }),
)

/** The faults under a steady load, one after the other. */
const fault = z.string().refine((text) => parseFault(text) !== undefined, {
  message: `one of ${faultNames.join(', ')}, or one that lasts with its seconds: redis-frozen=45s`,
})

export const profileSchema = z
  .strictObject({
    name,
    question: z.string().min(1),
    base: values.default({}),
    variants: z
      .record(
        name,
        values.nullable().transform((given) => given ?? {}),
      )
      .default({}),
    matrix: z.record(z.string(), z.array(z.unknown()).min(1)).default({}),
    workflows: z.array(workflow).min(1),
    outside: outsideSchema.optional(),
    load,
    slo: sloSchema.prefault({}),
    need: z
      .union(
        [rate, z.strictObject({ rate, is: z.string().min(1) })],
        'a rate such as 50, or { rate: 50, is: the busiest minute }',
      )
      .optional(),
    faults: z.array(fault).min(1).optional(),
    hold: z.strictObject({ for: seconds, share: share.default(usualShare) }).optional(),
    price: priceSchema.prefault({}),
    repeat: z.number().int().min(1).max(20).default(1),
  })
  .refine(({ faults, load: { shape } }) => faults === undefined || shape === 'constant' || shape === 'mixed', {
    path: ['faults'],
    message: 'a load of shape constant or mixed under faults',
  })
  .refine(({ hold, load: { shape } }) => hold === undefined || shape === 'search', {
    path: ['hold'],
    message: 'a load of shape search, whose capacity tells the rate to hold',
  })
