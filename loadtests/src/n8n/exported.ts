import { createHash } from 'node:crypto'
import { z } from 'zod'
import { usage } from '../lib/errors.ts'
import { idOf, stableId } from '../lib/names.ts'
import type { SaveSettings } from './settings.ts'
import { isCallable } from './triggers.ts'

/** A workflow as n8n exports it, with the fields that the lab and an import need. */
export interface Exported {
  id: string
  name: string
  nodes: ExportedNode[]
  connections: Record<string, unknown>
  settings?: { errorWorkflow?: string } & SaveSettings
  staticData?: unknown
  pinData?: Record<string, PinnedItem[]>
}

export interface ExportedNode {
  id?: string
  name: string
  type: string
  typeVersion?: number
  position?: [number, number]
  disabled?: boolean
  webhookId?: string
  parameters?: Record<string, unknown>
  credentials?: Record<string, { id?: string | null; name?: string }>
}

/** An item pinned on a node; older exports have no `json` around it. */
export type PinnedItem = { json?: Record<string, unknown> } & Record<string, unknown>

const ofN8n = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-tuned)$/

/** The package that a type of node is from; null where n8n, or the lab, has it. */
export function communityPackageOf(type: string): string | null {
  const name = type.slice(0, Math.max(0, type.lastIndexOf('.')))
  return name === '' || ofN8n.test(name) ? null : name
}

/** The packages of community nodes that the workflows use. */
export const packagesOf = (workflows: { imports: Pick<Exported, 'nodes'>[] }[]): string[] => [
  ...new Set(
    workflows.flatMap(({ imports }) =>
      imports.flatMap(({ nodes }) => nodes.flatMap(({ type }) => communityPackageOf(type) ?? [])),
    ),
  ),
]

export const isWebhook = ({ type, disabled }: ExportedNode) => type === 'n8n-nodes-base.webhook' && !disabled

const map = z.record(z.string(), z.unknown())

/** Where a connection leads. */
const end = z.looseObject({ node: z.string() })

/** What the lab reads of an export, as every n8n writes it. The rest is n8n's, which says itself what it refuses. */
const given = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().nullish(),
  nodes: z.array(
    z.looseObject({
      name: z.string().nullish(),
      type: z.string(),
      typeVersion: z.number().nullish(),
      disabled: z.boolean().nullish(),
      webhookId: z.string().nullish(),
      parameters: map.nullish(),
      credentials: map.nullish(),
    }),
  ),
  connections: z.record(z.string(), z.record(z.string(), z.array(z.array(end).nullable()))).nullish(),
  settings: map.nullish(),
  pinData: z.record(z.string(), z.array(map).nullish()).nullish(),
})

type Given = Partial<Omit<Exported, 'id'>> & { id?: string | number }

/** A workflow of others; what it lacks or has otherwise than n8n writes it is refused. */
export function exportedIn(text: unknown, where: string, fallback: string): Exported {
  const { data, error } = given.safeParse(text)
  if (data) return completed(data as Given, fallback)
  const [{ path, message }] = error.issues as [z.core.$ZodIssue]
  throw badWorkflow(where, 'a workflow as n8n exports it', `one with ${path.join('.') || 'nothing'}: ${message}`)
}

/** Completes an exported workflow for an import. The same file always gives the same ids. */
export function completed(given: Given, fallback: string): Exported {
  const name = given.name ?? fallback
  const id = given.id ? idOf(given.id) : stableId(JSON.stringify([name, given.nodes]))
  return {
    ...given,
    id,
    name,
    nodes: (given.nodes ?? []).map((node) => addressed(withSafeLink({ ...node, name: node.name ?? node.type }), id)),
    connections: given.connections ?? {},
    ...(given.settings?.errorWorkflow && {
      settings: { ...given.settings, errorWorkflow: idOf(given.settings.errorWorkflow) },
    }),
  }
}

/** A link to a workflow whose id is none leads to the id that it has here. */
function withSafeLink(node: ExportedNode): ExportedNode {
  const link = node.parameters?.workflowId
  const locator = typeof link === 'object' && link !== null ? (link as { value?: unknown }) : null
  const id = locator ? locator.value : link
  if (typeof id !== 'string' || id === '' || id.startsWith('=') || idOf(id) === id) return node
  return {
    ...node,
    parameters: { ...node.parameters, workflowId: locator ? { ...locator, value: idOf(id) } : idOf(id) },
  }
}

/** n8n serves a webhook under its path only if the node has an id, and under that id if it has no path. */
export function addressed(node: ExportedNode, workflow: string): ExportedNode {
  if (!isCallable(node)) return node
  const webhookId = node.webhookId ?? uuidOf(`${workflow} ${node.name}`)
  if (!isWebhook(node)) return { ...node, webhookId }
  const path = String(node.parameters?.path ?? '').replace(/^\/+/, '') || webhookId
  return { ...node, webhookId, parameters: { ...node.parameters, path } }
}

const uuidOf = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')

/** The part that n8n imports, without references to the n8n it came from, such as projects, tags and versions. */
export type Importable = ReturnType<typeof importable>

export const importable = ({ id, name, nodes, connections, settings, staticData }: Exported) => ({
  id,
  name,
  active: false,
  nodes,
  connections,
  settings: settings ?? {},
  staticData: staticData ?? null,
})

export const badWorkflow = (
  where: string,
  expected: string,
  got: string,
  hint = 'Export the workflow from the n8n editor again, with a trigger that is not disabled.',
) => usage('bad-workflow', `${where}: Expected ${expected}, got ${got}.`, hint)

/** How expressions and code refer to the body in a Webhook node's output. */
const body = /\bjson\s*(?:\?\.|\.)?\s*(?:body\b|\[\s*\\*['"]body\\*['"]\s*\])/

/** Whether the workflow reads the body of its requests. */
export const readsBody = ({ nodes }: Exported): boolean =>
  nodes.some((node) => !node.disabled && !isWebhook(node) && body.test(JSON.stringify(node.parameters ?? {})))
