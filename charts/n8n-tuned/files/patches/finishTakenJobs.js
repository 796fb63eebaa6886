// A worker that is told to stop takes no more jobs, and ends once n8n runs none. n8n does not count jobs that the
// worker is just taking or finishing, and Bull drops those that Redis is just giving it. Redis says that the worker has
// them, so other workers leave them alone. Up to two minutes later n8n 2 calls their executions crashed. With this
// patch the worker ends once it has finished each job that Redis has given it.
const patience = 5000

exports.modules = {
  'bull > lib/queue.js': {
    // Redis may give the next job with the end of the one before. The worker has it, so no pause keeps it.
    edit: (source) =>
      source.replace('(this.paused || Promise.resolve())', '((!job && this.paused) || Promise.resolve())'),
    wrap({ prototype }) {
      const { getNextJob, processJob, pause } = prototype
      prototype.getNextJob = async function () {
        const jobs = jobsOf(this)
        jobs.asked++
        try {
          if (this.drained) await idOf(this.bclient)
          const job = await getNextJob.call(this)
          if (job) jobs.taken++
          return job
        } finally {
          jobs.asked--
        }
      }
      prototype.processJob = async function (job, ...rest) {
        let next
        try {
          return (next = await processJob.call(this, job, ...rest))
        } finally {
          if (job && !next) jobsOf(this).taken--
        }
      }
      prototype.pause = async function (isLocal, ...rest) {
        if (isLocal && jobsOf(this).asked) await askNoMore(this)
        return pause.call(this, isLocal, ...rest)
      }
    },
  },
  'dist/scaling/scaling.service.js': {
    wrap({ ScalingService: { prototype } }) {
      // What a worker waits for before it ends.
      prototype.getRunningJobsCount = function () {
        const queues = [...(this.queueByName?.values() ?? [this.queue])]
        return queues.map(jobsOf).reduce((sum, { asked, taken }) => sum + asked + taken, 0)
      }
    },
  },
}

/** How many jobs a queue has taken and not finished, and for how many it asks Redis. */
const counts = new WeakMap()
function jobsOf(queue) {
  if (!counts.has(queue)) counts.set(queue, { asked: 0, taken: 0 })
  return counts.get(queue)
}

/**
 * Bull's pause ends the connection that waits for a job. Redis may have given one that has not arrived. So before
 * that, Redis is told to end the waiting: it answers that it has no job, or has already given one. Where Redis does not
 * do that in time, the pause goes on as without the patch.
 */
async function askNoMore(queue) {
  queue.paused ??= new Promise((resolve) => {
    queue.resumeLocal = () => {
      queue.paused = null
      resolve()
    }
  })
  let late = false
  const unblock = async () => {
    while (jobsOf(queue).asked && !late) {
      const id = await idOf(queue.bclient)
      if (!id || !(await tell(queue.client, 'UNBLOCK', id))) return
      await sleep(10)
    }
  }
  await Promise.race([unblock(), sleep(patience)])
  late = true
}

/** The id that Redis gave to a connection; a new connection has another one. In a cluster it names no connection. */
const ids = new WeakMap()
function idOf(client) {
  if (client.isCluster) return
  if (!ids.has(client)) {
    ids.set(client, tell(client, 'ID'))
    client.once('close', () => ids.delete(client))
  }
  return ids.get(client)
}

/** What Redis answers as text; nothing if it refuses. */
const tell = (client, ...command) => client.client(...command).then(String, () => undefined)
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time))
