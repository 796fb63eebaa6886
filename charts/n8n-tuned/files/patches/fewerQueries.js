// n8n sends its database several queries twice for each execution. It marks it as running twice, each time in a
// transaction that reads when it began. It reads again what it has just written. It asks which row has a key before it
// asks for that row. With this patch it sends each query once, and the database holds the same after each step.
exports.modules = {
  // In regular mode this module marks each new execution as running, so the two modules that run it need not.
  'dist/active-executions.js': {},
  'dist/workflow-runner.js': {
    edit: (source) => source.replace(
      'await this.executionRepository.setRunning(executionId);',
      `if (restartExecutionId !== undefined || this.executionsConfig.mode !== 'regular') $&`),
  },
  'dist/workflow-execute-additional-data.js': {
    edit: (source) => source.replace(
      'await executionRepository.setRunning(executionId);',
      `if (di_1.Container.get(config_1.ExecutionsConfig).mode !== 'regular') $&`),
  },
  'dist/executions/execution-persistence.js': {
    edit: (source) => source.replace(
      'tx.insert(db_1.ExecutionEntity, executionEntity)',
      `(${insertUnread})(tx, db_1.ExecutionEntity, executionEntity)`),
  },
  '@n8n/db > dist/repositories/execution.repository.js': {
    wrap: ({ ExecutionRepository }, require) => markInOneWrite(ExecutionRepository.prototype, require('@n8n/typeorm')),
  },
  '@n8n/typeorm > dist/entity-manager/EntityManager.js': {
    wrap: ({ EntityManager }) => findByKeyInOneQuery(EntityManager.prototype),
  },
}

/** The code never reads the columns that SQLite fills in. PostgreSQL returns them with the insert. */
async function insertUnread(tx, entity, values) {
  if (tx.connection.driver.isReturningSqlSupported('insert')) return tx.insert(entity, values)
  const { raw: id } = await tx.createQueryBuilder().insert().into(entity).values(values).updateEntity(false).execute()
  return { identifiers: [{ id }] }
}

/** One statement marks an execution that never ran; for any other, n8n reads when it began. */
function markInOneWrite(prototype, { IsNull }) {
  const { setRunning } = prototype
  prototype.setRunning = async function (executionId) {
    const startedAt = new Date()
    const isNew = { id: executionId, startedAt: IsNull() }
    const { affected } = await this.update(isNew, { status: 'running', startedAt, waitTill: null })
    return affected ? startedAt : setRunning.call(this, executionId)
  }
}

/** With relations, TypeORM first reads the keys of the rows it will return. A query by key already names them. */
function findByKeyInOneQuery(prototype) {
  const { find, findOne } = prototype
  prototype.findOne = async function (entity, options) {
    if (!namesKey(this.connection.getMetadata(entity), options)) return findOne.call(this, entity, options)
    const [found = null] = await find.call(this, entity, options)
    return found
  }
}

const namesKey = ({ primaryColumns }, { where, relations, lock } = {}) =>
  relations && !lock && primaryColumns.every(({ propertyName }) => typeof where?.[propertyName] === 'string')
