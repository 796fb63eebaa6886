import { z } from 'zod'

/** What a reader gives, or corrects, so that a node runs as it is. */
export const Remedy = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('correct-node'), node: z.string() }),
  z.strictObject({
    code: z.literal('answer'),
    node: z.string(),
    source: z.string().describe('The node before it that asked a service; itself, where it asks one.'),
  }),
  z.strictObject({ code: z.literal('request-field'), name: z.string(), line: z.int(), text: z.string() }),
  z.strictObject({ code: z.literal('request') }),
  z.strictObject({ code: z.literal('environment') }),
  z.strictObject({ code: z.literal('module'), name: z.string() }),
  z.strictObject({ code: z.literal('graphics') }),
  z.strictObject({ code: z.literal('python') }),
  z.strictObject({ code: z.literal('log') }),
  z.strictObject({ code: z.literal('release'), type: z.string() }),
  z.strictObject({ code: z.literal('package'), name: z.string() }),
])
export type Remedy = z.infer<typeof Remedy>

export const Bridge = z
  .strictObject({
    node: z.string(),
    said: z.string().describe('By n8n: why the node fails.'),
    gives: z
      .enum(['pinned', 'read', 'input'])
      .describe('Its pinned data; what the nodes after it read; or what it gets, where they read nothing of it.'),
    remedy: Remedy,
  })
  .describe('A node that another one stood in for, since it failed: all other nodes are as they were exported.')
export type Bridge = z.infer<typeof Bridge>
