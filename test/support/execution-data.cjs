// What n8n 2 gives each execution, as far as the nodes that are tried look at it.
const url = 'http://127.0.0.1:5678'

module.exports = {
  executionId: '1',
  restApiUrl: url,
  instanceBaseUrl: url,
  webhookBaseUrl: url,
  webhookWaitingBaseUrl: url,
  webhookTestBaseUrl: url,
  formWaitingBaseUrl: url,
  variables: {},
  currentNodeExecutionIndex: 0,
}
