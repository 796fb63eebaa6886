/** What begins a workflow in n8n, by the types of its nodes. */

interface Node {
  type: string
  disabled?: boolean
}

const webhook = 'n8n-nodes-base.webhook'

/** Types of nodes that callers reach from outside: n8n starts their workflows by webhook. */
const types = new Set([
  webhook,
  'n8n-nodes-base.formTrigger',
  '@n8n/n8n-nodes-langchain.chatTrigger',
  '@n8n/n8n-nodes-langchain.mcpTrigger',
])

export const isCallable = ({ type, disabled }: Node): boolean => types.has(type) && !disabled

/** Whether each of its executions holds the headers of the request that began it. */
export const holdsHeaders = (nodes: Node[]): boolean => nodes.filter(isCallable).every(({ type }) => type === webhook)

/** Begins executions that no caller asked for: a schedule, a mailbox, a queue of another system. */
export const beginsByItself = (node: Node): boolean =>
  !node.disabled
  && !isCallable(node)
  && (/trigger$/i.test(node.type) || /\.(cron|interval|emailReadImap)$/.test(node.type))
  && !/\.(manualTrigger|executeWorkflowTrigger|errorTrigger)$/.test(node.type)
