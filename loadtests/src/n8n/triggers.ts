/** Types of nodes that callers reach from outside: n8n starts their workflows by webhook. */
const types = new Set([
  'n8n-nodes-base.webhook',
  'n8n-nodes-base.formTrigger',
  '@n8n/n8n-nodes-langchain.chatTrigger',
  '@n8n/n8n-nodes-langchain.mcpTrigger',
])

export const isCallable = ({ type, disabled }: { type: string; disabled?: boolean }): boolean =>
  types.has(type) && !disabled
