// n8n 0.x
module.exports = (n8n) => {
  const { BinaryDataManager, NodeExecuteFunctions, PackageDirectoryLoader, WorkflowExecute } = n8n('n8n-core')
  const { ICredentialsHelper, LoggerProxy, WorkflowHooks } = n8n('n8n-workflow')
  const silent = () => {}
  LoggerProxy.init({
    log: silent,
    debug: silent,
    verbose: silent,
    info: silent,
    warn: console.warn,
    error: console.error,
  })

  class Credentials extends ICredentialsHelper {
    constructor(credentials) {
      super('')
      this.getDecrypted = async (_, type) => credentials[type]
    }
  }

  const additionalData = (workflow, mode, credentials) => ({
    credentialsHelper: new Credentials(credentials),
    executionId: '1',
    restApiUrl: '',
    webhookBaseUrl: '',
    webhookWaitingBaseUrl: '',
    webhookTestBaseUrl: '',
    userId: '',
    variables: {},
    hooks: new WorkflowHooks({}, mode, '1', {
      id: workflow.id,
      name: workflow.name,
      nodes: Object.values(workflow.nodes),
      connections: {},
    }),
  })

  return {
    async prepare(home) {
      await BinaryDataManager.init({
        mode: 'filesystem',
        availableModes: 'filesystem',
        localStoragePath: home,
        binaryDataTTL: 60,
        persistedBinaryDataTTL: 60,
      })
    },
    loader(folder) {
      const loader = new PackageDirectoryLoader(folder)
      return { ready: loader.loadAll(), loaded: () => loader.nodeTypes, credentials: () => loader.credentialTypes }
    },
    run(workflow, { start, mode, credentials, pinData }) {
      return new WorkflowExecute(additionalData(workflow, mode, credentials), mode).run(
        workflow,
        workflow.getNode(start),
        undefined,
        pinData,
      )
    },
    trigger(workflow, node, { credentials, emit, emitError }) {
      const functions = (...args) => ({ ...NodeExecuteFunctions.getExecuteTriggerFunctions(...args), emit, emitError })
      return workflow.runTrigger(
        workflow.getNode(node),
        functions,
        additionalData(workflow, 'trigger', credentials),
        'trigger',
        'activate',
      )
    },
  }
}
