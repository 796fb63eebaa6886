import { z } from 'zod'

const Asked = z.strictObject({
  asked: z.int(),
  failed: z.int().describe('Without an answer in 30 s, or with an error.'),
  p50: z.number().nullable().describe('Milliseconds; null where nothing was asked for.'),
  p95: z.number().nullable(),
})

/** Editors that were open beside the load of a step. */
export const EditorsSeen = z
  .strictObject({
    open: z.int(),
    lists: Asked.describe('Of executions.'),
    workflows: Asked.describe('Lists of workflows.'),
    saves: Asked,
  })
  .describe('What the open editors asked n8n for during the step.')
export type EditorsSeen = z.infer<typeof EditorsSeen>

/** The same rate for a while before the editors were opened. */
export const WithoutEditors = z.strictObject({
  p95: z.number().nullable().describe('Of the callers, in milliseconds.'),
  startedAt: z.number(),
  endedAt: z.number(),
})
export type WithoutEditors = z.infer<typeof WithoutEditors>

const cores = z.number().nullable().describe('Cores on average; null where unknown.')
const Used = z.strictObject({ n8n: cores, postgresql: cores })

export const EditorsCost = z
  .strictObject({
    open: z.int(),
    lists: Asked.describe('Of executions, over all steps: medians of their p50 and p95.'),
    saves: Asked,
    used: Used.describe('By all processes of n8n and by its PostgreSQL, while they were open.'),
    without: z
      .strictObject({ p95: WithoutEditors.shape.p95, used: Used })
      .nullable()
      .describe('The same rate before they were opened; null of loads that have no one rate.'),
  })
  .describe('What open editors asked for, and what it cost.')
export type EditorsCost = z.infer<typeof EditorsCost>
