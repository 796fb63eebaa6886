import type { Queue } from './queue'

/** `waiting` includes the jobs of a paused queue, which Bull keeps in a list of their own. */
export interface Counts {
  waiting: number
  active: number
  delayed: number
  completed: number
  failed: number
  /** How many jobs there ever were. */
  added: number
}

/** All at one moment: a job that moves on meanwhile is not counted twice, or not at all. */
export async function readCounts({ client, key }: Queue): Promise<Counts> {
  const reading = client
    .multi()
    .llen(key('wait'))
    .llen(key('paused'))
    .llen(key('active'))
    .zcard(key('delayed'))
    .zcard(key('completed'))
    .zcard(key('failed'))
    .get(key('id'))
    .exec()
  // Redis refuses the whole for what it refused a part for, and says only there what that was.
  const answers = await reading.catch((error: Error & { previousErrors?: Error[] }) =>
    Promise.reject(error.previousErrors?.[0] ?? error),
  )
  const [wait, paused, active, delayed, completed, failed, added] = (answers ?? []).map(([error, value]) => {
    if (error) throw error
    return Number(value)
  }) as [number, number, number, number, number, number, number]
  return { waiting: wait + paused, active, delayed, completed, failed, added }
}
