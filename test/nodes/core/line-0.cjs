// n8n 0.x
module.exports = (n8n) => {
  const { PackageDirectoryLoader, WorkflowExecute } = n8n('n8n-core')
  const { ICredentialsHelper, LoggerProxy, WorkflowHooks } = n8n('n8n-workflow')
  const silent = () => {}
  LoggerProxy.init({ log: silent, debug: silent, verbose: silent, info: silent, warn: console.warn, error: console.error })

  class NoCredentials extends ICredentialsHelper {}

  return {
    loader(folder) {
      const loader = new PackageDirectoryLoader(folder)
      return { ready: loader.loadAll(), loaded: () => loader.nodeTypes }
    },
    run(workflow, pinData) {
      const additionalData = {
        credentialsHelper: new NoCredentials(''),
        restApiUrl: '',
        webhookBaseUrl: '',
        webhookWaitingBaseUrl: '',
        webhookTestBaseUrl: '',
        userId: '',
        variables: {},
        hooks: new WorkflowHooks({}, 'trigger', '1', { id: workflow.id, name: workflow.name, nodes: Object.values(workflow.nodes), connections: {} }),
      }
      return new WorkflowExecute(additionalData, 'trigger').run(workflow, workflow.getNode('Start'), undefined, pinData)
    },
  }
}
