// Lets n8n's own command publish several workflows: `n8n publish:workflow --id=1,2`. Each start of n8n takes seconds.
const Module = require('module')

const compile = Module.prototype._compile
Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (file.endsWith('/commands/publish/workflow.js')) publishEach(this.exports.PublishWorkflowCommand.prototype)
  return compiled
}

function publishEach(command) {
  const { run } = command
  command.run = async function () {
    const { flags } = this
    for (const id of flags.id.split(',')) {
      this.flags = { ...flags, id }
      await run.call(this)
    }
  }
}
