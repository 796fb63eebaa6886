import { z } from 'zod'
import type { Location } from '../lib/errors.ts'
import { parseDuration, parseShare } from '../lib/units.ts'
import { mostEditors, usualPrice, type Experiment } from './experiment.ts'
import { Arrivals, rate, shapes, usualMost } from './load.ts'
import { usualShare } from './operating.ts'
import { mostCopies } from './schedules.ts'
import { Outside } from './outside.ts'
import { parseYaml, readYaml } from './yaml-file.ts'

/** A profile as a user writes it. Messages continue "Expected …, got …", which yaml-file.ts writes. */

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

/** A request without an answer for this long counts as failed. */
const timeout = { timeout: seconds.default(30) }
const open = { ...timeout, arrivals: Arrivals.default('random') }
const lasting = { ...open, duration: seconds }

const load = z.discriminatedUnion('shape', [
  shapes.closed.extend({ ...timeout, duration: seconds }),
  shapes.constant.extend(lasting),
  shapes.ramp.extend({ ...lasting, from: rate.default(1) }),
  shapes.spike
    .extend(lasting)
    .refine(({ rate: calm, peak }) => peak > calm, { path: ['peak'], message: 'a rate above load.rate' }),
  shapes.soak.extend({ ...open, duration: seconds.default(3600) }),
  shapes.mixed.extend({ ...lasting, weights: shapes.mixed.shape.weights.default({}) }),
  shapes.herd.extend(lasting),
  shapes.search
    .extend({
      ...open,
      min: rate.default(0.5),
      max: rate.default(usualMost),
      step: seconds.default(20),
      precision: share.default(0.05),
      budget: seconds.optional(),
    })
    .refine(({ min, max }) => min < max, { path: ['max'], message: 'a rate above load.min' }),
])

const objectives = {
  p95: milliseconds,
  p99: milliseconds.optional(),
  'p99.9': milliseconds.optional(),
  errors: share,
}

const slo = z.strictObject({
  ...objectives,
  p95: milliseconds.default(1000),
  errors: share.default(0.001),
  backlog: share.default(0.05),
})

/** What one workflow of a mix must meet, where that differs. */
const ownSlo = z.strictObject(objectives).partial()

const price = z.strictObject({
  cpu: z.number().min(0).default(usualPrice.cpu),
  memory: z.number().min(0).default(usualPrice.memory),
})

/** A name, optionally with its requests: one, several kinds, or a file of them. The workload checks them. */
const workflow = z.preprocess(
  (given) => (typeof given === 'string' ? { workflow: given } : given),
  z.strictObject({ workflow: z.string().min(1), request: z.unknown().optional(), slo: ownSlo.optional() }),
)

const Written = z
  .strictObject({
    name,
    question: z.string().min(1),
    /** What each variant sustains, even where it stays open which is better. */
    asks: z.enum(['capacity', 'demand']).optional(),
    base: values.default({}),
    variants: z
      .record(
        name,
        values.nullable().transform((given) => given ?? {}),
      )
      .default({}),
    matrix: z.record(z.string(), z.array(z.unknown()).min(1)).default({}),
    workflows: z.array(workflow).min(1),
    outside: Outside.optional(),
    load,
    slo: slo.prefault({}),
    need: z
      .union(
        [rate, z.strictObject({ rate, is: z.string().min(1) })],
        'a rate such as 50, or { rate: 50, is: the busiest minute }',
      )
      .optional(),
    /** Under a steady load, one after the other; who causes them knows their names. */
    faults: z.array(z.string()).min(1).optional(),
    /** Editors that are open beside the load. */
    editors: z.int().positive().max(mostEditors).optional(),
    /** Of each of its workflows that has a schedule, how many run beside the load. */
    copies: z.int().positive().max(mostCopies).optional(),
    /** Executions that are in n8n's database before the load. */
    history: z.int().positive().optional(),
    hold: z.strictObject({ for: seconds, share: share.default(usualShare) }).optional(),
    price: price.prefault({}),
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

/** A profile, with a function that finds the line of each key in its file. */
export interface Profile {
  experiment: Experiment
  /** The requests to each of its workflows, as given. Never recorded, since they may contain secrets. */
  requests: unknown[]
  /** The mock for the services that its workflows call. Never recorded, for the same reason. */
  outside: Outside | undefined
  copies: number | undefined
  locate(path: readonly PropertyKey[]): Location
  has(path: readonly PropertyKey[]): boolean
}

export const loadProfile = async (file: string): Promise<Profile> => parseProfile(await readYaml(file), file)

export function parseProfile(text: string, file: string): Profile {
  const { parsed, locate, has } = parseYaml(Written, text, {
    file,
    whole: 'the profile',
    keys: Object.keys(Written.shape),
    page: 'docs/profiles.md',
  })
  const { variants, workflows, outside, need, copies, ...rest } = parsed
  const own = workflows.flatMap(({ workflow, slo }) => (slo ? [[workflow, slo] as const] : []))
  const named = Object.entries(variants).map(([name, values]) => ({ name, values }))
  return {
    experiment: {
      ...rest,
      ...neededOf(need),
      slo: { ...rest.slo, ...(own.length && { workflows: Object.fromEntries(own) }) },
      workflows: workflows.map(({ workflow }) => workflow),
      variants: named.length ? named : [{ name: rest.name, values: {} }],
    },
    requests: workflows.map(({ request }) => request),
    outside,
    copies,
    locate,
    has,
  }
}

function neededOf(need: number | { rate: number; is: string } | undefined): Pick<Experiment, 'need' | 'needIs'> {
  if (need === undefined) return {}
  return typeof need === 'number' ? { need } : { need: need.rate, needIs: need.is }
}
