/** Workflows as n8n's editor exports them, in few words. */

export interface Node {
  name: string
  type: string
  typeVersion: number
  parameters: object
  [more: string]: unknown
}

export interface Workflow {
  id: string
  nodes: Node[]
  connections: Connections
  settings: object
  pinData?: object
  /** Is it published before the traffic? One without a trigger of its own is not. */
  publish: boolean
}

type Connections = Record<string, Record<string, { node: string; type: string; index: number }[][]>>

const base = 'n8n-nodes-base'

export const node = (
  name: string,
  type: string,
  typeVersion: number,
  parameters: object = {},
  more: object = {},
): Node => ({
  name,
  type: type.includes('.') ? type : `${base}.${type}`,
  typeVersion,
  parameters,
  ...more,
})

/** Its path is its webhook's id as well. Answers with what the last node made unless told otherwise. */
export const webhook = (path: string, parameters: object = {}, more: object = {}): Node =>
  node(
    'Webhook',
    'webhook',
    2,
    { path, httpMethod: 'GET', responseMode: 'lastNode', options: {}, ...parameters },
    { webhookId: path, ...more },
  )

export const respond = (parameters: object, name = 'Respond'): Node =>
  node(name, 'respondToWebhook', 1.1, { options: {}, ...parameters })

export const code = (jsCode: string, name = 'Code', parameters: object = {}): Node =>
  node(name, 'code', 2, { jsCode, ...parameters })

/** Fields by name; a value that begins with = is an expression. */
export const set = (fields: Record<string, string>, name = 'Set', more: object = {}): Node =>
  node(
    name,
    'set',
    3.4,
    {
      assignments: {
        assignments: Object.entries(fields).map(([field, value]) => ({
          id: field,
          name: field,
          value,
          type: 'string',
        })),
      },
      options: {},
    },
    more,
  )

export const noOp = (name: string): Node => node(name, 'noOp', 1)

/** To the nth output of a node from the nth entry; `ai_tool` and the like where it is not `main`. */
export function connect(from: Node, to: Node[][], type = 'main'): Connections {
  return { [from.name]: { [type]: to.map((nodes) => nodes.map(({ name }) => ({ node: name, type, index: 0 }))) } }
}

interface More {
  settings?: object
  pinData?: object
  publish?: boolean
}

export function workflow(
  id: string,
  nodes: Node[],
  connections: Connections[],
  { settings, pinData, publish = true }: More = {},
): Workflow {
  return {
    id,
    nodes: nodes.map((one, index) => ({ id: `${id}-${index}`, position: [index * 200, 0], ...one })),
    connections: Object.assign({}, ...connections) as Connections,
    settings: { executionOrder: 'v1', ...settings },
    ...(pinData && { pinData }),
    publish,
  }
}

/** One node after the other. */
export function chain(id: string, nodes: Node[], more: More = {}): Workflow {
  return workflow(
    id,
    nodes,
    nodes.slice(1).map((to, index) => connect(nodes[index]!, [[to]])),
    more,
  )
}
