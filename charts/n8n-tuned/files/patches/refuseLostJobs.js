// When Redis loses its data, the jobs that wait in it are gone. n8n waits for their ends for ever: the caller gets no
// answer, and the execution stays "queued". With this patch n8n looks for the job whenever Bull looks for its end,
// every five seconds. If two looks find none and no worker has begun the execution, it ends in an error, and its caller
// gets status 500.
const reason = 'The execution was lost: Redis no longer has its job. Send the request again.'

/** The service that waits for the end of a job. */
const services = new WeakMap()
/** Jobs that the look before did not find. */
const missing = new WeakSet()

exports.modules = {
  'dist/scaling/scaling.service.js': {
    wrap({ ScalingService: { prototype } }) {
      const { addJob } = prototype
      prototype.addJob = async function (...args) {
        const job = await addJob.apply(this, args)
        services.set(job, this)
        return job
      }
    },
  },
  'bull > lib/scripts.js': {
    wrap(scripts) {
      const { isFinished } = scripts
      scripts.isFinished = async (job) => {
        const status = await isFinished(job)
        // Bull also looks at once. A look that fails is no reason to fail the execution: there will be another.
        if (!status && services.has(job) && !isNew(job)) await refuseIfLost(job).catch(() => {})
        return status
      }
    },
  },
  // How Bull waits for an end, and what n8n does when it fails.
  'bull > lib/job.js': {},
  'dist/workflow-runner.js': {},
  '@n8n/db > dist/repositories/execution.repository.js': {},
}

const isNew = ({ timestamp }) => Date.now() - timestamp < 1000

async function refuseIfLost(job) {
  if (await hasJob(job)) return missing.delete(job)
  if (!missing.has(job)) return missing.add(job)
  if (await isQueued(job)) job.queue.emit('global:failed', job.id, reason)
}

/** A Redis without its data counts from one again, so another execution's job may have the same id. */
async function hasJob({ queue, id, data }) {
  const stored = await queue.client.hget(queue.toKey(id), 'data')
  return stored !== null && JSON.parse(stored).executionId === data.executionId
}

async function isQueued(job) {
  const { executionRepository } = services.get(job)
  const execution = await executionRepository.findOneBy({ id: job.data.executionId })
  return execution?.status === 'new'
}
