// Runs workflows of n8n's own nodes on its n8n-core, for a test that forked this. argv: the folder of the n8n runtime.
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const executionData = require('../../support/execution-data.cjs')

const n8n = createRequire(join(process.argv[2], 'node_modules/n8n/package.json'))
n8n('reflect-metadata')
const { BinaryDataService, ExecutionLifecycleHooks, LazyPackageDirectoryLoader, WorkflowExecute } = n8n('n8n-core')
const { ICredentialsHelper, NodeHelpers, Workflow } = n8n('n8n-workflow')
const { Container } = n8n('@n8n/di')

const loaders = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].map(
  (name) => new LazyPackageDirectoryLoader(dirname(n8n.resolve(`${name}/package.json`))),
)
const nodeTypes = {
  getByName: (type) =>
    loaders.find(({ packageName }) => type.startsWith(`${packageName}.`)).getNode(type.split('.').at(-1)).type,
  getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(nodeTypes.getByName(type), version),
}
const credentialType = (name) => loaders.find(({ known }) => name in known.credentials).getCredential(name).type
const ancestorsOf = (name) => (credentialType(name).extends ?? []).flatMap((one) => [one, ...ancestorsOf(one)])

class Credentials extends ICredentialsHelper {
  constructor(credentials) {
    super()
    this.getDecrypted = async (_data, { id }, type) => ({ ...defaultsOf(type), ...credentials[id] })
  }
  getParentTypes(name) {
    return ancestorsOf(name)
  }
  isCredentialUsableByNode() {
    return true
  }
  /** As n8n's own: the mock tells by the credential which node asks. */
  async authenticate(credentials, type, request, workflow, node) {
    const { authenticate } = credentialType(type)
    if (typeof authenticate === 'function') return authenticate(credentials, request)
    const known = { $credentials: credentials }
    const valueOf = (text) =>
      String(text).startsWith('=')
        ? workflow.expression.getSimpleParameterValue(node, text, 'internal', known, undefined, '')
        : text
    for (const [place, fields] of Object.entries(authenticate?.properties ?? {}))
      for (const [name, value] of Object.entries(fields)) (request[place] ??= {})[valueOf(name)] = valueOf(value)
    return request
  }
  async preAuthentication() {}
  async runPreAuthentication() {}
}

const defaultsOf = (type) =>
  Object.fromEntries(
    [...ancestorsOf(type).reverse(), type].flatMap((name) =>
      credentialType(name).properties.map((property) => [property.name, property.default]),
    ),
  )

const additionalData = (workflow, credentials) => ({
  ...executionData,
  credentialsHelper: new Credentials(credentials),
  setExecutionStatus() {},
  logAiEvent() {},
  hooks: new ExecutionLifecycleHooks('trigger', '1', workflow),
})

/** What the node gives that is to be tried, of one item that arrives at it. */
async function run({ nodes, connections, credentials, start, tried, item }) {
  const workflow = new Workflow({
    ...{ id: '1', name: 'test', active: false, nodes, connections, nodeTypes, settings: { executionOrder: 'v1' } },
  })
  const { data } = await new WorkflowExecute(additionalData(workflow, credentials), 'trigger').run({
    workflow,
    startNode: workflow.getNode(start),
    pinData: { [start]: [item] },
  })
  const { runData, error } = data.resultData
  const given = runData[tried]?.[0].data?.main ?? []
  return {
    error: error && [error.message, error.description, ...(error.messages ?? [])].filter(Boolean).join(' | '),
    stack: (error?.cause ?? error)?.stack,
    items: given.flatMap((output) => output ?? []).map(({ json, binary }) => ({ json, ...(binary && { binary }) })),
  }
}

Promise.all([Container.get(BinaryDataService).init(), ...loaders.map((loader) => loader.loadAll())]).then(() =>
  process.send('ready'),
)
process.on('message', ({ id, job }) =>
  run(job).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, result: { error: error.message, stack: error.stack, items: [] } }),
  ),
)
// The parent is gone.
process.on('disconnect', () => process.exit())
