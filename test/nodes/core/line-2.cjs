// n8n 2.x
module.exports = (n8n) => {
  n8n('reflect-metadata')
  const { ExecutionLifecycleHooks, PackageDirectoryLoader, WorkflowExecute } = n8n('n8n-core')
  const { ICredentialsHelper } = n8n('n8n-workflow')

  class NoCredentials extends ICredentialsHelper {
    isCredentialUsableByNode() {
      return true
    }
  }

  return {
    loader(folder) {
      const loader = new PackageDirectoryLoader(folder)
      return { ready: loader.loadAll(), loaded: () => loader.nodeTypes }
    },
    run(workflow, pinData) {
      const url = 'http://127.0.0.1:5678'
      const additionalData = {
        credentialsHelper: new NoCredentials(),
        executionId: '1',
        restApiUrl: url,
        instanceBaseUrl: url,
        webhookBaseUrl: url,
        webhookWaitingBaseUrl: url,
        webhookTestBaseUrl: url,
        formWaitingBaseUrl: url,
        variables: {},
        currentNodeExecutionIndex: 0,
        hooks: new ExecutionLifecycleHooks('trigger', '1', { id: workflow.id, name: workflow.name, nodes: Object.values(workflow.nodes), connections: {} }),
      }
      return new WorkflowExecute(additionalData, 'trigger').run({ workflow, startNode: workflow.getNode('Start'), pinData })
    },
  }
}
