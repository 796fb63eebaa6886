// In queue mode n8n gives up an execution whose worker was killed, and saves an error in place of what the execution
// had to do. Its request is gone for good: a retry has nothing to begin with. With this patch n8n saves both, as it
// does for an execution that fails at its first node, so a retry begins where the lost execution did. It also calls the
// execution of a killed worker crashed, as it does where its main was killed, so that these can be told from others.
exports.modules = {
  'dist/workflow-runner.js': {
    wrap({ WorkflowRunner: { prototype } }) {
      const { processError } = prototype
      prototype.processError = async function (...args) {
        const [error, , , executionId, hooks] = args
        const request = hooks && this.executionsConfig.mode === 'queue' && requestOf(this.activeExecutions, executionId)
        if (request) {
          beforeSaving(hooks, (run) => {
            run.data = withRequest(run.data, request)
            if (hasLostItsWorker(error)) run.status = 'crashed'
          })
        }
        return processError.apply(this, args)
      }
    },
  },
  // Where n8n keeps the request while it waits for the end, what it saves then, and how it tries again.
  'dist/active-executions.js': {},
  'dist/execution-lifecycle/execution-lifecycle-hooks.js': {},
  'dist/executions/execution.service.js': {},
}

/** Undefined where n8n has to find out itself where to begin, as in a manual execution. */
function requestOf(activeExecutions, executionId) {
  if (!activeExecutions.has(executionId)) return undefined
  const { executionData: request } = activeExecutions.getExecutionOrFail(executionId).executionData
  return request?.executionData?.nodeExecutionStack[0] && request
}

function beforeSaving(hooks, change) {
  const { runHook } = hooks
  hooks.runHook = (name, parameters) => {
    if (name === 'workflowExecuteAfter') change(parameters[0])
    return runHook.call(hooks, name, parameters)
  }
}

const hasLostItsWorker = (error) => error.constructor.name === 'MaxStalledCountError'

/** A retry removes the error of the node that was executed last. */
function withRequest(data, { startData, executionData, resultData: { runData = {}, ...before } }) {
  const { name } = executionData.nodeExecutionStack[0].node
  const { error } = data.resultData
  const failed = {
    startTime: Date.now(),
    executionIndex: Object.values(runData).flat().length,
    executionTime: 0,
    executionStatus: 'error',
    error,
    source: [],
  }
  const runs = { ...runData, [name]: [...(runData[name] ?? []), failed] }
  const resultData = { ...before, error, runData: runs, lastNodeExecuted: name }
  return { ...data, startData, executionData, resultData }
}
