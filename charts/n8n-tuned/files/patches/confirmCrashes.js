// In queue mode n8n's main looks for executions that ended without a word: its database calls them new or running, and
// the queue has no job for them. It calls them crashed. Main looks at its start and every three hours, and also meets
// executions that are just about to be queued. Their worker then skips them. With this patch main looks a second time,
// a minute later, and calls an execution crashed only if neither look finds a job for it.
const minute = 60_000

exports.modules = {
  'dist/scaling/scaling.service.js': {
    wrap({ ScalingService: { prototype } }) {
      /** What the first look found, until the second one. */
      let suspects
      /** Returns after how many milliseconds n8n looks again. */
      prototype.recoverFromQueue = async function () {
        const { batchSize, waitMs } = this.queueRecoveryContext
        const ids = await withoutJob(this)
        if (!suspects) {
          if (ids.length === 0) return waitMs
          suspects = new Set(ids)
          return minute
        }
        const danglingIds = ids.filter((id) => suspects.has(id))
        suspects = undefined
        if (danglingIds.length === 0) return waitMs
        await (this.executionCrashService ?? this.executionRepository).markAsCrashed(danglingIds)
        this.logger.info('Completed queue recovery check, recovered dangling executions', { danglingIds })
        return danglingIds.length < batchSize ? waitMs : waitMs / 2
      }
    },
  },
  // What is in progress, and how it becomes crashed.
  '@n8n/db > dist/repositories/execution.repository.js': {},
}

/**
 * Executions in progress without a job, the newest hundred as in n8n. There a backlog hides them, because n8n first
 * takes the newest hundred of all.
 */
async function withoutJob(main) {
  // The queue first: when an execution ends, n8n writes that to its database before its job leaves the queue.
  const jobs = await main.findJobsByStatus(['active', 'waiting', 'paused'])
  const queued = new Set(jobs.map(({ data }) => data.executionId))
  const { batchSize } = main.queueRecoveryContext
  const ids = await main.executionRepository.getInProgressExecutionIds(queued.size + batchSize)
  return ids.filter((id) => !queued.has(id))
}
