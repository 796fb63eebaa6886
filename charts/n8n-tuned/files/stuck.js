// Serves how many executions are stuck: n8n calls them new or running, and for STUCK_SECONDS the queue has had no job
// for them. Names each in the log, once. Also serves how many crashed recently, how many processes listen to the queue,
// and how many jobs it has had. Only reads. If a look fails, there is no figure until one succeeds: an outage is
// another alert's matter. The process stays in any case, because main is only ready beside it.
const http = require('http')

// A look holds what it reads. A queue as long as this has an alert of its own.
const LONGEST_QUEUE = 10000
const MOST_EXECUTIONS = 1000

// These have a job of their own. A sub-workflow runs in the job of its caller, and a manual execution may run in main.
const MODES = ['webhook', 'trigger', 'retry', 'error']

const redis = connectRedis(n8n())

/** A connection for each look, so that none is held in between. */
async function query(sql, values) {
  const client = await connectPostgresql(n8n())
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** The oldest first. */
const executionsInProgress = () =>
  query(
    `SELECT id::text, "workflowId" AS workflow, status FROM ${tableOf('execution_entity')}
      WHERE status IN ('new', 'running') AND mode = ANY($1) AND "deletedAt" IS NULL
      ORDER BY execution_entity.id LIMIT ${MOST_EXECUTIONS}`,
    [MODES],
  )

async function executionsWithJob() {
  // A job goes from the first of these lists to the last. Releases of n8n before 2.46 have none that is claimed.
  const lists = ['wait', 'paused', 'claiming', 'active'].map(queueKey)
  const lengths = await Promise.all(lists.map((list) => redis.llen(list)))
  const length = lengths.reduce((sum, each) => sum + each)
  if (length > LONGEST_QUEUE) throw new Error(`Expected at most ${LONGEST_QUEUE} jobs in the queue, got ${length}.`)
  const jobs = (await Promise.all(lists.map((list) => redis.lrange(list, 0, -1)))).flat()
  const data = await Promise.all(jobs.map((id) => redis.hget(queueKey(id), 'data')))
  return new Set(data.filter(Boolean).map((text) => String(JSON.parse(text).executionId)))
}

let since = new Map()
const named = new Set()

async function stuckExecutions() {
  // In this order: an execution that ends in between is in the first answer alone, and no more at the next look.
  const executions = await executionsInProgress()
  const withJob = executions.length ? await executionsWithJob() : new Set()
  const suspects = executions.filter(({ id }) => !withJob.has(id))
  const now = Date.now()
  since = new Map(suspects.map(({ id }) => [id, since.get(id) ?? now]))
  return suspects.filter(({ id }) => now - since.get(id) >= 1000 * Number(env.STUCK_SECONDS))
}

/** How many executions n8n has called crashed within CRASHED_SECONDS. */
async function crashedExecutions() {
  const [{ count }] = await query(
    `SELECT count(*)::int FROM ${tableOf('execution_entity')}
      WHERE status = 'crashed' AND "deletedAt" IS NULL AND "stoppedAt" > now() - make_interval(secs => $1)`,
    [Number(env.CRASHED_SECONDS)],
  )
  return count
}

/** How many executions should have gone on from a Wait two minutes ago: main looks for them every minute. */
async function overdueWaits() {
  const [{ count }] = await query(
    `SELECT count(*)::int FROM ${tableOf('execution_entity')}
      WHERE status = 'waiting' AND "deletedAt" IS NULL AND "waitTill" < now() - interval '2 minutes'`,
    [],
  )
  return count
}

/** How many of n8n's processes hear from Redis what happens to executions: each subscribes when it starts. */
async function listeners() {
  // In a Redis cluster each node knows its own subscribers alone.
  const nodes = redis.nodes ? redis.nodes('all') : [redis]
  const counts = await Promise.all(nodes.map((node) => node.pubsub('NUMSUB', queueKey('progress'))))
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** How many jobs the queue has had: Redis numbers them, and begins at 1 again when it has lost its data. */
const lastJob = async () => Number(await redis.get(queueKey('id')))

/** Counts again and again. The returned function gives the last count as a metric, or nothing if that count failed. */
function watch(metric, type, help, count) {
  let figure
  let complaint
  async function look() {
    try {
      figure = await count()
      complaint = undefined
    } catch ({ message }) {
      figure = undefined
      if (message !== complaint) console.log(`cannot count ${metric}: ${message}`)
      complaint = message
    }
    setTimeout(look, 1000 * Number(env.LOOK_SECONDS))
  }
  look()
  const header = `# HELP ${metric} ${help}\n# TYPE ${metric} ${type}\n`
  return () => (figure === undefined ? '' : `${header}${metric} ${figure}\n`)
}

const metrics = [
  watch('n8n_tuned_stuck_executions', 'gauge', 'Executions in progress without a job in the queue.', async () => {
    const stuck = await stuckExecutions()
    for (const { id, workflow, status } of stuck.filter(({ id }) => !named.has(id))) {
      named.add(id)
      console.log(`execution ${id} of workflow ${workflow} is stuck: it is "${status}" and has no job in the queue`)
    }
    return stuck.length
  }),
  watch('n8n_tuned_crashed_executions', 'gauge', 'Executions that crashed recently.', crashedExecutions),
  watch('n8n_tuned_overdue_waits', 'gauge', 'Executions that should have gone on from a Wait.', overdueWaits),
  watch('n8n_tuned_queue_listeners', 'gauge', 'Processes that hear from Redis what happens to executions.', listeners),
  watch('n8n_tuned_queue_jobs_total', 'counter', 'Jobs that the queue has had since Redis last lost it.', lastJob),
]
http
  .createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/plain; version=0.0.4')
    answer.end(metrics.map((serve) => serve()).join(''))
  })
  .listen(Number(env.STUCK_PORT))
process.on('SIGTERM', () => process.exit(0))
