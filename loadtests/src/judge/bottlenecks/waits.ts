import { figure, latency, percent } from '../../lib/figures.ts'
import type { Seen } from '../seen.ts'
import type { Bottleneck } from '../../model/step.ts'

/** What executions wait for while there is CPU to spare. */

/** Milliseconds. On a machine at work Redis answers within a few. */
const slow = 50

export function redis({ redis: took }: Seen): Bottleneck | null {
  if (took === null || took < slow) return null
  return {
    code: 'redis',
    process: null,
    what: 'Redis answered late.',
    advice:
      `Redis took ${latency(took)} to answer, and each execution asks it several times. Look at its CPU `
      + '(redis.embedded.resources.limits), its disk, the slow commands of other clients, and the network.',
  }
}

/** PostgreSQL writes one journal: it is busy whenever a connection waits for it. */
const always = 0.8

export function disk({ disk: waited }: Seen): Bottleneck | null {
  if (waited === null || waited < always) return null
  return {
    code: 'database-disk',
    process: null,
    what: 'PostgreSQL waited for its disk.',
    advice:
      `PostgreSQL waited for its disk in ${percent(waited)} of the looks: give it a faster one `
      + '(database.embedded.persistence.storageClass), or write less with tuning.tier: lean.',
  }
}

const full = 0.9

export function pool({ processes, disk: asked }: Seen): Bottleneck | null {
  const found = processes.find(({ pool }) => pool && pool.active >= full * pool.max && pool.waiting >= 1)
  if (!found) return null
  const { process, pool } = found
  const raise =
    asked === null
      ? 'set database.type: embedded, since SQLite writes one thing at a time'
      : 'raise database.poolSize, and database.maxConnections with it'
  return {
    code: 'database-pool',
    process,
    what: `The database connections of ${process} were all in use.`,
    advice:
      `${process} may open ${pool!.max} to its database, and ${figure(pool!.waiting)} requests waited for one `
      + `on average: ${raise}.`,
  }
}

export function slots({ executions, slots: most }: Seen): Bottleneck | null {
  if (executions === null || most === null || executions.active < full * most) return null
  const { active, waiting } = executions
  if (waiting !== null && waiting < 1) return null
  const ran = `${figure(active)} of at most ${most} executions ran at once`
  return {
    code: 'concurrency',
    process: null,
    what:
      waiting === null ? 'Main ran as many executions as it may.' : 'The workers ran as many executions as they may.',
    advice:
      waiting === null
        ? `${ran}: raise main.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT.`
        : `${ran}, and ${figure(waiting)} waited: raise worker.concurrency, or worker.replicas.`,
  }
}
