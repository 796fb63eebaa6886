import { z } from 'zod'

/** What a reader has to know before trusting a figure, as codes and figures: report/warnings.ts has the words. */

/** `about`: the cell, or the step of it, that this is of. */
const found = <Code extends string, Shape extends z.ZodRawShape>(code: Code, shape: Shape) =>
  z.strictObject({ code: z.literal(code), about: z.string().optional(), ...shape })

const reason = z.string()
const cores = z.number()

export const FoundWarning = z.discriminatedUnion('code', [
  /** Of the machine. */
  found('limits-not-enforced', {}),
  found('generator-shares-core', {}),
  found('not-quiet', {
    busy: z.number().optional(),
    loadAverage: z.number().optional().describe('Only of earlier versions.'),
    cores,
  }),
  found('never-quiet', { busy: z.number(), cores }),
  found('pace-unknown', { reason }),
  /** Of a cluster. */
  found('in-cluster', { context: z.string(), namespace: z.string().nullable() }),
  found('nodes-unknown', {}),
  found('one-node', {}),
  found('no-room-for-requests', { cpu: z.string(), memory: z.string() }),
  found('no-room-for-generator', {}),
  found('asked-one-by-one', { containers: z.int() }),
  /** Of an n8n that ran before. */
  found('ran-already', { url: z.string() }),
  found('others-counted', {}),
  found('outcome-uncounted', {}),
  found('other-values', {}),
  found('perhaps-shares-cores', {}),
  /** Of what the lab could not see. */
  found('no-answer', { who: z.string(), milliseconds: z.number(), reason }),
  found('outside-unknown', { reason }),
  found('outcome-not-kept', { workflow: z.string() }),
  found('counts-differ', { of: z.enum(['finished', 'failed', 'begun']), database: z.number(), other: z.number() }),
  found('workers-uncounted', {}),
  found('not-explained', { cell: z.string(), reason }),
  /** Of the run itself. */
  found('driven-again', { reason }),
  found('went-on', { at: z.number() }),
])
export type FoundWarning = z.infer<typeof FoundWarning>

/** A sentence: what a workflow is told of, and everything in runs of earlier versions. */
export const Warning = z.union([z.string(), FoundWarning])
export type Warning = z.infer<typeof Warning>
