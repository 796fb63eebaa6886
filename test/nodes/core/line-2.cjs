const executionData = require('../../support/execution-data.cjs')

// n8n 2.x
module.exports = (n8n) => {
  n8n('reflect-metadata')
  const {
    BinaryDataService,
    ExecutionLifecycleHooks,
    PackageDirectoryLoader,
    TriggerContext,
    TriggersAndPollers,
    WorkflowExecute,
  } = n8n('n8n-core')
  const { ICredentialsHelper } = n8n('n8n-workflow')
  const { Container } = n8n('@n8n/di')

  class Credentials extends ICredentialsHelper {
    constructor(credentials) {
      super()
      this.getDecrypted = async (_data, _node, type) => credentials[type]
    }

    isCredentialUsableByNode() {
      return true
    }
  }

  const additionalData = (workflow, mode, credentials) => ({
    ...executionData,
    credentialsHelper: new Credentials(credentials),
    hooks: new ExecutionLifecycleHooks(mode, '1', {
      id: workflow.id,
      name: workflow.name,
      nodes: Object.values(workflow.nodes),
      connections: {},
    }),
  })

  return {
    async prepare() {
      await Container.get(BinaryDataService).init()
    },
    loader(folder) {
      const loader = new PackageDirectoryLoader(folder)
      return { ready: loader.loadAll(), loaded: () => loader.nodeTypes, credentials: () => loader.credentialTypes }
    },
    run(workflow, { start, mode, credentials, pinData }) {
      return new WorkflowExecute(additionalData(workflow, mode, credentials), mode).run({
        workflow,
        startNode: workflow.getNode(start),
        pinData,
      })
    },
    trigger(workflow, node, { credentials, emit, emitError }) {
      const functions = (...args) => new TriggerContext(...args, emit, emitError)
      return Container.get(TriggersAndPollers).runTriggerFunction(
        workflow,
        workflow.getNode(node),
        functions,
        additionalData(workflow, 'trigger', credentials),
        'trigger',
        'activate',
      )
    },
  }
}
