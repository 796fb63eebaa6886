import { z } from 'zod'
import type { Exported, ExportedNode, PinnedItem } from './exported.ts'

/** How callers reach a node: an address, and what a request has to look like there. */
export interface Address {
  takes: Takes
  methods: string[]
  /** The path below n8n's URL; its parts may be parameters, `:id`. */
  path: string
  /** Main answers it, even where webhook processors answer webhooks. */
  onMain: boolean
  /** The credential that it asks callers for. */
  auth: 'none' | 'basicAuth' | 'headerAuth' | 'jwtAuth' | 'bearerAuth'
}

export type Takes =
  | { kind: 'webhook' }
  | { kind: 'form'; fields: FormField[] }
  | { kind: 'chat' }
  /** A server of the Model Context Protocol, and the tool that a call takes if it names none. */
  | { kind: 'mcp'; tool: string | null }

/** What is no text in a workflow of others is taken for none. */
const text = z.string().optional().catch(undefined)

/** A field of a form, with the keys that the lab reads. */
const FormField = z.object({
  fieldLabel: text,
  fieldName: text,
  fieldType: text,
  fieldValue: text,
  acceptFileTypes: text,
  multiselect: z.boolean().optional().catch(undefined),
  fieldOptions: z
    .object({ values: z.array(z.object({ option: z.string() })).optional() })
    .optional()
    .catch(undefined),
})
export type FormField = z.infer<typeof FormField>

const Parameters = z.object({
  path: text,
  httpMethod: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  authentication: text,
  public: z.unknown().optional(),
  formFields: z
    .object({ values: z.array(FormField.catch({})).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  options: z.object({ path: text }).optional().catch(undefined),
})

/** Null where callers from outside do not reach the node. */
export function addressOf(node: ExportedNode, workflow: Exported): Address | null {
  const parameters = Parameters.parse(node.parameters ?? {})
  const { path = '', options = {} } = parameters
  const authentication = (parameters.authentication ?? 'none') as Address['auth']
  switch (node.type) {
    case 'n8n-nodes-base.webhook':
      return {
        takes: { kind: 'webhook' },
        methods: [parameters.httpMethod ?? 'GET'].flat(),
        // n8n puts an id in front of a path with parameters, to tell it from the paths of other webhooks.
        path: `/webhook/${hasParameters(path) ? `${node.webhookId}/` : ''}${path}`,
        onMain: false,
        auth: authentication,
      }
    case 'n8n-nodes-base.formTrigger':
      return {
        takes: { kind: 'form', fields: parameters.formFields?.values ?? [] },
        methods: ['POST'],
        path: `/form/${path || options.path || node.webhookId}`,
        onMain: true,
        auth: authentication,
      }
    case '@n8n/n8n-nodes-langchain.chatTrigger':
      // Only the editor reaches a chat that is not public.
      return parameters.public
        ? {
            takes: { kind: 'chat' },
            methods: ['POST'],
            path: `/webhook/${node.webhookId}/chat`,
            onMain: false,
            auth: authentication,
          }
        : null
    case '@n8n/n8n-nodes-langchain.mcpTrigger':
      // Before version 2 of the node, its answers came in a stream that never ends.
      return (node.typeVersion ?? 1) >= 2
        ? {
            takes: { kind: 'mcp', tool: toolOf(node, workflow) },
            methods: ['POST'],
            path: `/mcp/${path}`,
            onMain: true,
            auth: authentication,
          }
        : null
    default:
      return null
  }
}

const hasParameters = (path: string) => /(^|\/):/.test(path)

/** The name of the first tool that is connected to a node, as n8n makes it. */
function toolOf({ name }: ExportedNode, { nodes, connections }: Exported): string | null {
  const leadsHere = (node: ExportedNode) =>
    ((connections[node.name] as { ai_tool?: { node: string }[][] } | undefined)?.ai_tool ?? [])
      .flat()
      .some((end) => end?.node === name)
  const tool = nodes.find((node) => !node.disabled && leadsHere(node))
  if (!tool) return null
  const given = tool.parameters?.name
  return typeof given === 'string' && given ? given : tool.name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64)
}

/** A node at which a workflow is called. */
export interface Trigger extends Address {
  node: string
  credential: { id: string; name: string } | null
  pinned: PinnedItem[]
}

/** All nodes at which callers from outside reach a workflow. */
export const triggersOf = (workflow: Exported): Trigger[] =>
  workflow.nodes.flatMap((node) => {
    const address = node.disabled ? null : addressOf(node, workflow)
    if (!address) return []
    const [credential] = Object.values(node.credentials ?? {})
    return [
      {
        ...address,
        node: node.name,
        credential: credential
          ? { id: String(credential.id ?? ''), name: credential.name ?? String(credential.id) }
          : null,
        pinned: workflow.pinData?.[node.name] ?? [],
      },
    ]
  })

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The parameters in a path, if it is the trigger's path; `/webhook-test/` is the editor's name for the same. */
export function paramsIn(path: string, trigger: Trigger): Record<string, string> | null {
  const names: string[] = []
  const pattern = trigger.path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return escaped(part)
      names.push(part.slice(1))
      return '([^/]+)'
    })
    .join('/')
  const match = new RegExp(`${pattern}$`).exec(path.replace('/webhook-test/', '/webhook/').replace(/\/$/, ''))
  return match && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]))
}
