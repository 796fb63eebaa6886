/** A workflow that prints what it was sent, and then asks the service for each of its answers. */
export function askingWorkflow(port: number | null): object {
  const node = (name: string, type: string, typeVersion: number, parameters: object, more = {}) => ({
    id: name,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [0, 0],
    parameters,
    ...more,
  })
  const asks = port === null ? [] : ['json', 'form', 'xml']
  const nodes = [
    node('Webhook', 'webhook', 2, { httpMethod: 'POST', path: 'planted', responseMode: 'lastNode', options: {} }),
    node('Print', 'code', 2, { jsCode: 'console.log(JSON.stringify($input.first().json)); return $input.all()' }),
    ...asks.map((kind) =>
      node(
        kind,
        'httpRequest',
        4.2,
        {
          url: `http://localhost:${port}/${kind}`,
          authentication: 'genericCredentialType',
          genericAuthType: 'httpHeaderAuth',
          options: { response: { response: { responseFormat: 'text', outputPropertyName: 'data' } } },
        },
        { credentials: { httpHeaderAuth: { id: '1001', name: 'Shop' } } },
      ),
    ),
  ]
  const order = nodes.map(({ name }) => name)
  const connections = Object.fromEntries(
    order.slice(0, -1).map((name, index) => [name, { main: [[{ node: order[index + 1], type: 'main', index: 0 }]] }]),
  )
  return { name: 'planted', nodes, connections, settings: {} }
}
