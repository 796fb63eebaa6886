export const WAIT_MS = 20
export const COUNT = 5_000_000

/** The loop that every node here burns with. */
export const countFunction = 'function count(n) { let i = 0; while (i < n) i++; return i }'

const loadTarget = (parameters: object) => ({ type: 'n8n-nodes-tuned.loadTarget', typeVersion: 1, parameters })
const code = (jsCode: string) => ({
  type: 'n8n-nodes-base.code',
  typeVersion: 1,
  parameters: { mode: 'runOnceForAllItems', jsCode },
})

/** Each is a workflow of its own: a webhook that answers with what the node, if any, puts out. */
export const nodes: Record<string, object | undefined> = {
  nothing: undefined,
  'load-target-wait': loadTarget({ operation: 'wait', waitDuration: WAIT_MS, waitUnit: 'milliseconds' }),
  'code-wait': code(`await new Promise((resolve) => setTimeout(resolve, ${WAIT_MS}));\nreturn [{ json: {} }];`),
  'load-target-burn': loadTarget({ operation: 'cpu', cpuAmount: 'count', cpuCount: COUNT }),
  'code-burn': code(`${countFunction}\nreturn [{ json: { counted: count(${COUNT}) } }];`),
}

export function workflow(name: string, number: number): object {
  const node = nodes[name]
  const webhook = {
    id: `${number}1`,
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    position: [0, 0],
    webhookId: `${name}-webhook`,
    parameters: {
      httpMethod: 'GET',
      path: name,
      responseMode: 'lastNode',
      responseData: 'firstEntryJson',
      options: {},
    },
  }
  return {
    id: `${5679000 + number}`,
    name,
    active: false,
    nodes: [webhook, ...(node ? [{ id: `${number}2`, name: 'Work', position: [220, 0], ...node }] : [])],
    connections: node ? { Webhook: { main: [[{ node: 'Work', type: 'main', index: 0 }]] } } : {},
    settings: { executionOrder: 'v1' },
  }
}
