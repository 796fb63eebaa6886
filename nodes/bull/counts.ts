import type { Queue } from './queue'

/**
 * `waiting` includes the jobs of a paused queue, which Bull keeps in a separate list, and `active` those that a worker
 * of n8n 2.46 or later is about to take.
 */
export interface Counts {
  waiting: number
  active: number
  delayed: number
  completed: number
  failed: number
  /** The number of jobs ever added. */
  added: number
}

/** Read at one moment, so that a job that changes its state is neither counted twice nor missed. */
export async function readCounts({ client, key }: Queue): Promise<Counts> {
  const reading = client
    .multi()
    .llen(key('wait'))
    .llen(key('paused'))
    .llen(key('active'))
    .llen(key('claiming'))
    .zcard(key('delayed'))
    .zcard(key('completed'))
    .zcard(key('failed'))
    .get(key('id'))
    .exec()
  // Redis refuses the whole transaction if it refuses one command, and gives the cause only there.
  const answers = await reading.catch((error: Error & { previousErrors?: Error[] }) =>
    Promise.reject(error.previousErrors?.[0] ?? error),
  )
  const [wait, paused, active, claiming, delayed, completed, failed, added] = (answers ?? []).map(([error, value]) => {
    if (error) throw error
    return Number(value)
  }) as [number, number, number, number, number, number, number, number]
  return { waiting: wait + paused, active: active + claiming, delayed, completed, failed, added }
}
