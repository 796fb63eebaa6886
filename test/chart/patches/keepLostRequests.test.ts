import { expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

/** docs/contributing/n8n-loses.md: a retry of an execution whose worker was killed. */

const workerKilled = "new (require('./dist/errors/max-stalled-count.error.js').MaxStalledCountError)(new Error())"

/** How n8n's own code saves an execution that it gives up, and with what it then begins a retry. */
const givenUpAndRetried = (mode: 'queue' | 'regular', request: unknown, error = workerKilled) => `
  require('reflect-metadata')
  const { ExecutionLifecycleHooks } = require('n8n-core')
  const { WorkflowRunner } = require('./dist/workflow-runner.js')
  const { ExecutionService } = require('./dist/executions/execution.service.js')
  const request = ${JSON.stringify(request)}
  const workflowData = { id: 'w', nodes: [] }
  const runner = Object.assign(Object.create(WorkflowRunner.prototype), {
    executionsConfig: { mode: '${mode}' },
    executionRepository: { findSingleExecution: async () => ({ status: 'error' }) },
    activeExecutions: {
      has: () => true,
      getExecutionOrFail: () => ({ executionData: { executionData: request } }),
      finalizeExecution() {},
    },
    storageConfig: { modeTag: 'db' },
    logger: { error() {} },
    errorReporter: { error() {} },
  })
  const main = async () => {
    let saved
    const hooks = new ExecutionLifecycleHooks('webhook', '1', workflowData)
    hooks.addHandler('workflowExecuteAfter', (run) => (saved = JSON.parse(JSON.stringify(run))))
    await runner.processError(${error}, new Date(), 'webhook', '1', hooks)
    const found = async () => ({ ...JSON.parse(JSON.stringify(saved)), workflowId: 'w', workflowData })
    let retried
    const service = Object.assign(Object.create(ExecutionService.prototype), {
      executionPersistence: { findWithUnflattenedData: found },
      executionRepository: { findWithUnflattenedData: found },
      workflowRunner: { run: async (data) => { retried = data.executionData } },
    })
    // The one of n8n 2 takes an object, and the one of n8n 1 the request.
    await service.retry({ executionId: '1', params: { id: '1' }, body: {}, user: {} }, ['w']).catch(() => {})
    const { status, data: { resultData: { lastNodeExecuted } } } = saved
    const { executionData: { nodeExecutionStack: begins }, resultData: { error: stillFailed, runData } } = retried
    const retry = { begins, stillFailed, runData }
    process.stdout.write(JSON.stringify({ status, lastNodeExecuted, retry }))
  }
  main()`

interface Outcome {
  status: string
  lastNodeExecuted?: string
  retry: { begins: unknown[]; stillFailed?: unknown; runData: unknown }
}

const begin = { node: { name: 'Webhook' }, data: { main: [[{ json: { order: 7 } }]] }, source: null }
const request = {
  startData: {},
  resultData: { runData: {} },
  executionData: { contextData: {}, metadata: {}, nodeExecutionStack: [begin], waitingExecution: {} },
}

test.each(['2.41.1', '1.123.81'])(
  'on n8n %s the retry of a lost execution has nothing to begin with; with the patch it has the request',
  (version) => {
    const ways = eachWay(version, 'keepLostRequests', givenUpAndRetried('queue', request))
    const [plain, patched] = [ways.plain as Outcome, ways.patched as Outcome]
    expect(plain).toMatchObject({ status: 'error', retry: { begins: [] } })
    expect(patched).toEqual({
      status: 'crashed',
      lastNodeExecuted: 'Webhook',
      retry: { begins: [begin], runData: { Webhook: [] } },
    })
  },
)

test('with the patch an execution that n8n gives up for another reason has failed, and keeps its request, too', () => {
  const script = givenUpAndRetried('queue', request, "new Error('Redis is away')")
  const { patched } = eachWay('2.41.1', 'keepLostRequests', script)
  expect(patched).toMatchObject({ status: 'error', retry: { begins: [begin] } })
})

test('a retry of a lost execution that had waited goes on after what it had done', () => {
  const done = { startTime: 0, executionIndex: 0, executionTime: 1, executionStatus: 'success', source: [] }
  const resumed = {
    ...request,
    resultData: { runData: { Webhook: [done] }, lastNodeExecuted: 'Wait' },
    executionData: { ...request.executionData, nodeExecutionStack: [{ ...begin, node: { name: 'Wait' } }] },
  }
  const ways = eachWay('2.41.1', 'keepLostRequests', givenUpAndRetried('queue', resumed))
  const { retry } = ways.patched as Outcome
  expect(retry).toEqual({ begins: resumed.executionData.nodeExecutionStack, runData: { Webhook: [done], Wait: [] } })
})

test.each([
  ['in regular mode', 'regular', request],
  ['without a request, as in a manual execution,', 'queue', undefined],
] as const)('%s the patch changes nothing', (_, mode, has) => {
  const { plain, patched } = eachWay('2.41.1', 'keepLostRequests', givenUpAndRetried(mode, has))
  expect(patched).toEqual(plain)
})
