import { addressed, stableId, type Exported, type ExportedNode } from './exported.ts'
import { triggersOf } from './triggers.ts'

/**
 * Workflows that no caller reaches, such as those with a schedule. The lab loads a copy: a Webhook in front, and in the
 * trigger's place a node that hands on the items of the request as the trigger would.
 */

/** n8n starts these when something happens, so a load stands for that. */
export const startsByItself = (workflow: Exported): boolean =>
  triggersOf(workflow).length === 0 && workflow.nodes.some(actsByItself)

/** The copy, and the trigger that it replaces; null where there is none. */
export function copyWithWebhook(workflow: Exported): { copy: Exported; trigger: ExportedNode } | null {
  const trigger = workflow.nodes.find(actsByItself) ?? workflow.nodes.find(isTrigger)
  if (!trigger) return null
  const id = stableId(`${workflow.id} with a webhook`)
  const webhook = addressed(
    {
      id: `${id}-webhook`,
      name: free('Webhook of the lab', new Set(workflow.nodes.map(({ name }) => name))),
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path: `n8n-tuned/${id}`, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
    },
    id,
  )
  const items = workflow.pinData?.[trigger.name]?.map((item) => item.json ?? item) ?? [sampleOf(trigger)]
  const copy = {
    ...workflow,
    id,
    nodes: [webhook, ...workflow.nodes.map((node) => (node === trigger ? handingOn(trigger) : atRest(node)))],
    connections: {
      ...workflow.connections,
      [webhook.name]: { main: [[{ node: trigger.name, type: 'main', index: 0 }]] },
    },
    pinData: { [webhook.name]: [{ json: { body: items } }] },
  }
  return { copy, trigger }
}

/** It makes items of the body, a list. It has no expression, whose isolate would cost more than the node. */
const handingOn = ({ id, name, position }: ExportedNode): ExportedNode => ({
  id,
  name,
  position,
  type: 'n8n-nodes-base.splitOut',
  typeVersion: 1,
  parameters: { fieldToSplitOut: 'body', options: {} },
})

/** n8n names triggers so, except for some old ones. */
const isTrigger = ({ type, disabled }: ExportedNode) => !disabled && (/trigger$/i.test(type) || others.has(type))
const others = new Set(['cron', 'interval', 'emailReadImap', 'start'].map((name) => `n8n-nodes-base.${name}`))

const actsByItself = (node: ExportedNode) => isTrigger(node) && !onlyFromInside.has(node.type)

/** Any other trigger would start the copy beside the load, or ask its service for events. */
const atRest = (node: ExportedNode): ExportedNode => (actsByItself(node) ? { ...node, disabled: true } : node)

/** Other workflows or the editor start these. */
const onlyFromInside = new Set(
  ['executeWorkflowTrigger', 'errorTrigger', 'manualTrigger', 'start', 'evaluationTrigger'].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
)

function sampleOf({ type, parameters }: ExportedNode): Record<string, unknown> {
  if (type === 'n8n-nodes-base.scheduleTrigger') return { timestamp: '{{time}}' }
  const inputs = parameters?.workflowInputs as { values?: { name?: string }[] } | undefined
  return Object.fromEntries((inputs?.values ?? []).map(({ name = '' }) => [name, null]))
}

const free = (name: string, taken: Set<string>): string => (taken.has(name) ? free(`${name} 2`, taken) : name)
