// In queue mode each process that takes webhooks hears of every execution that ends, and keeps its result for the code
// that began it. That code runs in one process; in all others the results stay for good. With this patch a process
// keeps only results of executions that it began. Where n8n finds no result, it reads it from its database.
exports.modules = {
  'dist/scaling/scaling.service.js': {
    edit: (source) => source.replace(
      'if (msg.version === 2) {',
      'if (msg.version === 2 && this.activeExecutions.has(msg.executionId)) {'),
  },
  // An execution is in the list before its job is in the queue, and until its result was taken.
  'dist/active-executions.js': {},
  'dist/workflow-runner.js': {},
}
