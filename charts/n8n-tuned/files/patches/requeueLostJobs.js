// When Redis loses its data, its jobs are gone. n8n waits for their ends for ever: a job that waited is never executed,
// and of a job that a worker has taken n8n never hears the end. With this patch n8n looks for its job whenever Bull
// looks for the end, every five seconds. If two looks find none, the database tells what to do: a queued execution is
// queued again, and the end of an execution that has ended is taken from there.
const reason = 'The execution was lost: Redis no longer has its job, and n8n called it crashed. Send the request again.'

/** How to queue a job's execution again, and how to read it. */
const waits = new WeakMap()
/** Jobs that the look before did not find. */
const missing = new WeakSet()

exports.modules = {
  'dist/scaling/scaling.service.js': {
    wrap({ ScalingService: { prototype } }) {
      const { addJob } = prototype
      prototype.addJob = async function (...args) {
        const job = await addJob.apply(this, args)
        waits.set(job, {
          queueAgain: () => addJob.apply(this, args),
          read: () => this.executionRepository.findOneBy({ id: job.data.executionId }),
        })
        return job
      }
    },
  },
  'bull > lib/scripts.js': {
    wrap(scripts) {
      const { isFinished } = scripts
      scripts.isFinished = async (job) => {
        // Bull also looks at once.
        if (!waits.has(job) || isNew(job) || (await hasJob(job))) return isFinished(job)
        if (!missing.has(job)) missing.add(job)
        // What fails now is done at the next look.
        else await settle(job).catch(() => {})
        return 0
      }
    },
  },
  // How Bull waits for an end, and what n8n does with it.
  'bull > lib/job.js': {},
  'dist/workflow-runner.js': {},
  '@n8n/db > dist/repositories/execution.repository.js': {},
}

const isNew = ({ timestamp }) => Date.now() - timestamp < 1000

/** A Redis without its data counts from one again, so another execution's job may have the same number. */
async function hasJob(job) {
  const { queue, id, data } = job
  const stored = await queue.client.hget(queue.toKey(id), 'data')
  const found = stored !== null && JSON.parse(stored).executionId === data.executionId
  if (found) missing.delete(job)
  return found
}

async function settle(job) {
  const { queueAgain, read } = waits.get(job)
  const { status } = (await read()) ?? {}
  if (status === 'running') return
  missing.delete(job)
  if (status === 'new') job.id = (await queueAgain()).id
  else tellEnd(job, status)
}

/** Says what the worker could not say. */
function tellEnd(job, status) {
  const { queue, data: { executionId } } = job
  job.id = `lost-${executionId}`
  if (!status || status === 'crashed') return queue.emit('global:failed', job.id, reason)
  // The answer of a node "Respond to Webhook" went with Redis, unless the caller has it.
  queue.emit('global:progress', job.id, { kind: 'job-finished', executionId, success: status === 'waiting' })
  queue.emit('global:completed', job.id)
}
