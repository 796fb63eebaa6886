import { z } from 'zod'

/** How much of a workflow ran, as its first execution shows it: figures say nothing about the rest. */
export const Realism = z.strictObject({
  workflow: z.string(),
  nodes: z.int().describe('Those that the triggers lead to, with their models, tools and parsers.'),
  ran: z.int(),
  untaken: z.array(z.string()).describe('Branches that were not taken: a node, and the next one.'),
  ended: z.boolean().describe('Whether a node ran after which there is none: if not, the main path did not run.'),
})
export type Realism = z.infer<typeof Realism>
