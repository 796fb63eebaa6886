import type { Case } from '../case.ts'
import { chain, code, webhook, type Node } from '../workflow.ts'

export const manyItems = code(`return [1, 2, 3].map((number) => ({ json: { number, name: 'item ' + number } }))`)

/** A webhook and what follows it, asked once. */
export const asked = (
  name: string,
  parameters: object,
  rest: Node[],
  more: Partial<Case> = {},
  path = `wh-${name.replace(/\W+/g, '-').toLowerCase()}`.slice(0, 30),
): Case => ({
  name,
  workflows: [chain(path, [webhook(path, parameters), ...rest])],
  act: async (n8n) => void (await n8n.ask(`/webhook/${path}?greeting=hello&list=1&list=2`)),
  ...more,
})
