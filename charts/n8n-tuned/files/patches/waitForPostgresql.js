// n8n reads and writes an execution once. While PostgreSQL is away, an execution that n8n has accepted then fails, or
// stays "running" or "queued" for hours. With this patch it waits for PostgreSQL, ten minutes at most, and goes on where
// it was. Each of these queries leaves the same rows when it is sent again. Whatever PostgreSQL itself answers, such as
// that a statement took too long, is n8n's to handle. n8n refuses new requests until then, as without the patch.
const tenMinutes = 600_000

exports.line = '2.'
exports.modules = {
  // In queue mode, how a worker begins an execution.
  'dist/scaling/job-processor.js': {
    wrap: ({ JobProcessor }) => retryFor(JobProcessor, {
      executionPersistence: ['findSingleExecution'],
      executionRepository: ['setRunning'],
      workflowRepository: ['findOne'],
    }),
  },
  // How an execution begins in regular mode, and how main or a webhook processor learns of its end in queue mode.
  'dist/workflow-runner.js': {
    wrap: ({ WorkflowRunner }) => retryFor(WorkflowRunner, {
      executionPersistence: ['findSingleExecution'],
      executionRepository: ['findSingleExecution', 'setRunning'],
    }),
  },
  // How an execution ends.
  'dist/execution-lifecycle/execution-lifecycle-hooks.js': {},
  'dist/execution-lifecycle/shared/shared-hook-functions.js': {
    wrap: (hooks) => retry(hooks, 'updateExistingExecution'),
  },
  'dist/executions/execution-persistence.js': {
    wrap: ({ ExecutionPersistence }) => retry(ExecutionPersistence.prototype, 'deleteInFlightExecution'),
  },
  // Their errors tell that PostgreSQL is away.
  '@n8n/db > dist/connection/db-connection-monitor.js': {},
  '@n8n/typeorm > dist/data-source/DataSource.js': {},
  '@n8n/typeorm > dist/driver/postgres/PostgresDriver.js': {},
  '@n8n/typeorm > pg > lib/client.js': {},
  '@n8n/typeorm > pg > pg-pool > index.js': {},
}

/** These methods of what a class gets when it is made are tried again, for this class alone. */
function retryFor({ prototype }, dependencies) {
  for (const [dependency, methods] of Object.entries(dependencies)) {
    Object.defineProperty(prototype, dependency, {
      set(given) {
        const own = Object.create(given)
        for (const method of methods) retry(own, method)
        Object.defineProperty(this, dependency, { value: own })
      },
    })
  }
}

/** How many queries wait. */
let waiting = 0

/** It is tried each second until PostgreSQL answers. */
function retry(object, method) {
  const query = object[method]
  object[method] = async function (...args) {
    let began
    try {
      for (;;) {
        try {
          return await query.apply(this, args)
        } catch (error) {
          if (!isAway(error) || Date.now() - began > tenMinutes) throw error
          if (!began && waiting++ === 0) say(`PostgreSQL did not answer (${wordsOf(error)}). Executions wait for it.`)
          began ??= Date.now()
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    } finally {
      if (began && --waiting === 0) say('No execution waits for PostgreSQL any more.')
    }
  }
}

/** SQLSTATE: connections; a standby that became the server; PostgreSQL stops, has crashed or starts. */
const states = /^(08|25006|57P0[123])/
const network = /^(EAI_AGAIN|ECONN|EHOST|ENET|ENOTFOUND|EPIPE|ETIMEDOUT)/
/** Errors of pg, TypeORM and n8n without a code. TypeORM has no pool while n8n connects again. */
const words = new RegExp(
  '^(Cannot execute operation|Cannot use a pool|Client (has encountered|was closed)|Connection terminated'
  + '|Driver not Connected|Timed out after .* waiting for database|timeout e)',
)

function isAway(error) {
  const { code = '', message } = error.driverError ?? error
  return states.test(code) || network.test(code) || words.test(message)
}

/** Node gives no message if a name has several addresses and all of them refuse. */
const wordsOf = ({ driverError, message, code }) => driverError?.message || message || code
const say = (line) => process.stderr.write(`n8n-tuned: ${line}\n`)
