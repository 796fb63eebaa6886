import { stableId } from '../lib/names.ts'
import { addressed, type Exported, type ExportedNode } from '../n8n/exported.ts'
import { reachedFrom } from '../n8n/path.ts'
import { triggersOf } from '../n8n/address.ts'

/**
 * Workflows that no caller reaches, such as those with a schedule. The lab loads a copy: a Webhook in front, and in the
 * trigger's place a node that hands on the items of the request as the trigger would.
 */

/** n8n starts these when something happens, so a load stands for that. */
export const startsByItself = (workflow: Exported): boolean =>
  triggersOf(workflow).length === 0 && workflow.nodes.some(actsByItself)

/** The trigger that leads to most of the workflow; of those that act by themselves, where there are some. */
export function mainTrigger(workflow: Exported): ExportedNode | null {
  const own = workflow.nodes.filter(actsByItself)
  const leads = ({ name }: ExportedNode) => reachedFrom(workflow, [name]).size
  return (own.length ? own : workflow.nodes.filter(isTrigger)).toSorted((a, b) => leads(b) - leads(a))[0] ?? null
}

/**
 * The copy, and the trigger that it replaces; null if there is none. `items`: what it hands on, if nothing is pinned.
 */
export function copyWithWebhook(
  workflow: Exported,
  items: (trigger: ExportedNode) => Handed = (trigger) => ({ items: [sampleOf(trigger)], files: [] }),
): { copy: Exported; trigger: ExportedNode; webhook: string } | null {
  const trigger = mainTrigger(workflow)
  if (!trigger) return null
  const given = items(trigger)
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
  const pinned = workflow.pinData?.[trigger.name]
  const sent = pinned?.length ? pinned.map((item) => item.json ?? item) : given.items
  const copy = {
    ...workflow,
    id,
    nodes: [
      webhook,
      ...workflow.nodes
        .map(callingCopy(workflow.id, id))
        .map((node) => (node.name === trigger.name ? handingOn(trigger, given.files) : atRest(node))),
    ],
    connections: {
      ...workflow.connections,
      [webhook.name]: { main: [[{ node: trigger.name, type: 'main', index: 0 }]] },
    },
    pinData: { [webhook.name]: [{ json: { body: sent } }] },
  }
  return { copy, trigger, webhook: webhook.name }
}

/** A workflow that calls itself calls the copy, since n8n gets no other. */
const callingCopy = (own: string, copy: string) => (node: ExportedNode) => {
  const given = node.parameters?.workflowId as { value?: unknown } | string | undefined
  const named = typeof given === 'object' ? given.value : given
  if (named !== own) return node
  return {
    ...node,
    parameters: { ...node.parameters, workflowId: typeof given === 'object' ? { ...given, value: copy } : copy },
  }
}

/** What the trigger's place hands on: items, and the files of each. */
export interface Handed {
  items: Record<string, unknown>[]
  files: { property: string; name: string; type: string; base64: string }[]
}

/** It makes items of the body, a list. It has no expression, whose isolate would cost more than the node. */
function handingOn({ id, name, position }: ExportedNode, files: Handed['files']): ExportedNode {
  const place = { id, name, position }
  if (files.length === 0)
    return {
      ...place,
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'body', options: {} },
    }
  const binary = Object.fromEntries(
    files.map(({ property, name: fileName, type, base64 }) => [
      property,
      { data: base64, mimeType: type, fileName, fileExtension: fileName.split('.').at(-1) },
    ]),
  )
  const code =
    `const binary = ${JSON.stringify(binary)}\n` + 'return $input.first().json.body.map((json) => ({ json, binary }))'
  return { ...place, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } }
}

/** n8n names triggers so, except for some old ones. */
export const isTrigger = ({ type, disabled }: ExportedNode) => !disabled && (/trigger$/i.test(type) || others.has(type))
const others = new Set(['cron', 'interval', 'emailReadImap', 'start'].map((name) => `n8n-nodes-base.${name}`))

export const actsByItself = (node: ExportedNode) => isTrigger(node) && !onlyFromInside.has(node.type)

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
