import { z } from 'zod'
import { Warning } from './warning.ts'

/** Where a run took place, and what it did not have of the user's values. */

export const Machine = z.strictObject({
  cpu: z.string(),
  cores: z.number(),
  memory: z.number().describe('Bytes.'),
  kernel: z.string(),
})
export type Machine = z.infer<typeof Machine>

/** A release of the chart, as Helm knows it. */
export const Release = z.strictObject({ name: z.string(), namespace: z.string() })
export type Release = z.infer<typeof Release>

export const SetAside = z
  .strictObject({
    what: z.array(z.string()).describe('The values, by their names: redis.host.'),
    instead: z.string().describe('What the run uses in their place.'),
    effect: z.string().describe('What that may change in the figures.'),
  })
  .describe('Something of the user’s values that a run may not use.')
export type SetAside = z.infer<typeof SetAside>

const Calibration = z.strictObject({
  rate: z.number(),
  p95: z.number(),
  rates: z.array(z.number()).describe('One a look, in the order of time.'),
  most: z
    .number()
    .optional()
    .describe('Requests a second that would fill the generator’s cores, with nothing else on them. Absent before 0.3.'),
})
type Calibration = z.infer<typeof Calibration>

const cores = z.array(z.number())

export const Cores = z
  .strictObject({
    target: cores.describe('Of n8n.'),
    generator: cores.describe('Of k6 and the lab.'),
    postgresql: cores.optional(),
    redis: cores.optional(),
    beside: cores.optional().describe('Of the balancer and of the mock of services.'),
  })
  .describe('Which cores each program was given; programs may share some.')
export type Cores = z.infer<typeof Cores>

/** Why n8n ran as what it did on this machine. */
export const EngineReason = z.strictObject({
  code: z
    .enum(['asked', 'has-all', 'lacks-programs', 'not-in-npm'])
    .describe(
      'Somebody asked for it; npm and this machine have all that processes need; this machine lacks programs that '
        + 'they need; or npm does not have that n8n.',
    ),
  names: z.array(z.string()).describe('What asked for it, or the releases of n8n, or the programs.'),
})
export type EngineReason = z.infer<typeof EngineReason>

export const Environment = z.strictObject({
  machine: Machine.nullable().describe('Where n8n ran; null where that is unknown.'),
  loadAverage: z.array(z.number()).describe('Of this machine; empty where n8n ran elsewhere.'),
  versions: z.record(z.string(), z.string()),
  engine: z
    .string()
    .nullable()
    .describe('What n8n ran as on this machine: processes, or containers of a runtime; null where it ran elsewhere.'),
  engineReason: EngineReason.optional().describe('Why; absent where it ran elsewhere, and in records that do not say.'),
  limits: z
    .string()
    .describe(
      'How CPU and memory limits were enforced: cgroup v1, cgroup v2, systemd, podman 4.3.1, Kubernetes, not enforced, '
        + 'or unknown of an n8n that ran before.',
    ),
  cores: Cores,
  calibration: Calibration.nullable().describe(
    'A bare Node HTTP handler on the same cores: what this machine can do without n8n. Medians.',
  ),
  lab: z
    .number()
    .nullable()
    .describe('Cores that the lab used while it measured, without the generator; null where the run was ended.'),
  release: Release.optional().describe('The operator’s own release of the chart, if the cluster has exactly one.'),
  warnings: z.array(Warning),
})
export type Environment = z.infer<typeof Environment>

/** With the words that are made of its codes and figures. */
export const WrittenEnvironment = Environment.extend({ warnings: z.array(z.string()) })
