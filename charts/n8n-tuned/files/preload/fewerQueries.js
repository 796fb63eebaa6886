// Half of what an execution asks its database is not needed: n8n marks it as running twice, each time in a transaction that
// first looks whether it has been before; it reads again what it has just written; and it asks which row has a key, and then
// for the row with that key. Here each is asked once, and the database holds the same as ever.
const fs = require('fs')
const Module = require('module')
const { dirname, join } = require('path')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, mend(source, file), file, ...rest)
  if (manager.test(file)) keysFindOne(this.exports.EntityManager?.prototype ?? {})
  if (repository.test(file)) oneWriteMarks(this.exports.ExecutionRepository?.prototype ?? {}, this.require('@n8n/typeorm'))
  return compiled
}

const manager = /[\\/]@n8n[\\/]typeorm[\\/]dist[\\/]entity-manager[\\/]EntityManager\.js$/
const repository = /[\\/]@n8n[\\/]db[\\/]dist[\\/]repositories[\\/]execution\.repository\.js$/
const runner = /[\\/]n8n[\\/]dist[\\/]workflow-runner\.js$/
const subworkflows = /[\\/]n8n[\\/]dist[\\/]workflow-execute-additional-data\.js$/
const persistence = /[\\/]n8n[\\/]dist[\\/]executions[\\/]execution-persistence\.js$/

function mend(source, file) {
  if (runner.test(file) && isMarkedBefore(file)) return source.replace('await this.executionRepository.setRunning(executionId);', `if (restartExecutionId !== undefined || this.executionsConfig.mode !== 'regular') $&`)
  if (subworkflows.test(file) && isMarkedBefore(file)) return source.replace('await executionRepository.setRunning(executionId);', `if (di_1.Container.get(config_1.ExecutionsConfig).mode !== 'regular') $&`)
  if (persistence.test(file)) return source.replace('tx.insert(db_1.ExecutionEntity, executionEntity)', `(${insertUnread})(tx, db_1.ExecutionEntity, executionEntity)`)
  return source
}

/** In regular mode who adds a new execution to the active ones marks it, so that who runs it need not. */
const isMarkedBefore = (file) => marks.test(fs.readFileSync(join(dirname(file), 'active-executions.js'), 'utf8'))
const marks = /if \(this\.executionsConfig\.mode === 'regular'\) \{\s*await this\.executionRepository\.setRunning\(executionId\);/

/** Nobody looks at the columns that SQLite has filled in. PostgreSQL returns them with the insert. */
async function insertUnread(tx, entity, values) {
  if (tx.connection.driver.isReturningSqlSupported('insert')) return tx.insert(entity, values)
  const { raw: id } = await tx.createQueryBuilder().insert().into(entity).values(values).updateEntity(false).execute()
  return { identifiers: [{ id }] }
}

/** What has not been running before is marked with one statement; else n8n looks when it began. */
function oneWriteMarks(prototype, { IsNull }) {
  const { setRunning } = prototype
  if (!String(setRunning).includes('existing?.startedAt ?? startedAt')) return
  prototype.setRunning = async function (executionId) {
    const startedAt = new Date()
    const { affected } = await this.update({ id: executionId, startedAt: IsNull() }, { status: 'running', startedAt, waitTill: null })
    return affected ? startedAt : setRunning.call(this, executionId)
  }
}

/** With relations TypeORM looks for the keys of so many rows first. Who names the key wants that row. */
function keysFindOne(prototype) {
  const { find, findOne } = prototype
  if (!find || !findOne) return
  prototype.findOne = async function (entity, options) {
    if (!namesKey(this.connection.getMetadata(entity), options)) return findOne.call(this, entity, options)
    const [found = null] = await find.call(this, entity, options)
    return found
  }
}

const namesKey = ({ primaryColumns }, { where, relations, lock } = {}) =>
  relations && !lock && primaryColumns.every(({ propertyName }) => typeof where?.[propertyName] === 'string')
