import { z } from 'zod'
import { Load, weightsOf } from './load.ts'
import { Schedules } from './schedules.ts'

/** The question of one experiment: the profile after validation, with every default filled in. */

export const Values = z.record(z.string(), z.unknown()).describe('Helm values.')
export type Values = z.infer<typeof Values>

const share = z.number().min(0)
const milliseconds = z.number().min(0)

/** What one workflow of a mix must meet. Shares are fractions, times are milliseconds. */
export const WorkflowSlo = z.strictObject({
  p95: milliseconds,
  p99: milliseconds.optional(),
  'p99.9': milliseconds.optional(),
  errors: share.describe('Share of the requests.'),
})

export const Slo = WorkflowSlo.extend({
  p95: milliseconds.describe('Milliseconds.'),
  backlog: share.describe('Growth of executions under way, as a share of those accepted.'),
  workflows: z
    .record(z.string(), WorkflowSlo.partial())
    .optional()
    .describe('Objectives of single workflows of a mix, in place of those above.'),
}).describe('What a step must meet to hold.')
export type Slo = z.infer<typeof Slo>

export const Price = z
  .strictObject({ cpu: z.number().min(0), memory: z.number().min(0) })
  .describe('What a CPU and a GiB of memory cost, in the user’s own money and time: it decides which cell is cheap.')
export type Price = z.infer<typeof Price>

/** Without a price of the user's, a CPU costs as much as 8 GiB of memory, as it does where both are rented. */
export const usualPrice: Price = { cpu: 1, memory: 0.125 }

/** Whether the price is the user's own, so that a cost means something to them. */
export const isOwnPrice = ({ cpu, memory }: Price): boolean => cpu !== usualPrice.cpu || memory !== usualPrice.memory

export const Enough = z
  .strictObject({
    within: z.number().describe('The ± that a capacity may have, as a share.'),
    budget: z.number().describe('Seconds.'),
  })
  .describe('In place of `repeat`: repeat until the figures are this precise, or until this much time has passed.')
export type Enough = z.infer<typeof Enough>

export const Hold = z
  .strictObject({
    share: z.number().describe('The share of the capacity to hold.'),
    for: z.number().describe('Seconds.'),
  })
  .describe('After a search: hold the recommended rate, to confirm it.')
export type Hold = z.infer<typeof Hold>

export const Variant = z.strictObject({
  name: z.string(),
  values: Values,
  without: z
    .string()
    .optional()
    .describe('The setting that this variant leaves out of the first one, to measure its worth.'),
  beside: z.string().optional().describe('The variant to compare it with, where that is not the first one.'),
})
export type Variant = z.infer<typeof Variant>

export const Experiment = z
  .strictObject({
    name: z.string(),
    question: z.string(),
    asks: z
      .enum(['capacity', 'demand'])
      .optional()
      .describe(
        'Capacity: what each variant sustains is the answer, even where it stays open which is better. Demand: what an '
          + 'execution takes of each, so none of them is recommended.',
      ),
    plan: z
      .enum(['chart', 'server'])
      .optional()
      .describe('Only of earlier versions, which could measure a bare server in the place of n8n.'),
    base: Values,
    variants: z.array(Variant),
    matrix: z
      .record(z.string(), z.array(z.unknown()))
      .describe('Dotted Helm value to the list of values it takes; the cells are their product.'),
    workflows: z.array(z.string()),
    load: Load,
    slo: Slo,
    repeat: z.int().min(1),
    enough: Enough.optional(),
    hold: Hold.optional(),
    price: Price,
    need: z
      .number()
      .positive()
      .optional()
      .describe('Requests a second that the recommendation has to sustain. Without it, no function of n8n is lost.'),
    needIs: z.string().optional().describe('Where that rate comes from: the busiest minute of the last 30 days.'),
    faults: z.array(z.string()).optional().describe('The faults under the load, one after the other.'),
    editors: z.int().positive().optional().describe('So many editors are open beside the load.'),
    schedules: Schedules.optional(),
    history: z
      .int()
      .positive()
      .optional()
      .describe('So many executions are in n8n’s database before the load, made from a few real ones.'),
  })
  .describe('The profile, with every default filled in.')
export type Experiment = z.infer<typeof Experiment>

/** Each polls once in four seconds: more would be a load of their own. */
export const mostEditors = 200

export const mixed = 'mixed-traffic'

/** The names of an experiment's traffic: its workflows, or the one mix of them. */
export const trafficNames = ({ load, workflows }: Pick<Experiment, 'load' | 'workflows'>): string[] =>
  weightsOf(load) ? [mixed] : workflows
