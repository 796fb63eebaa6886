import { setTimeout as sleep } from 'node:timers/promises'

import type { Queue } from './queue'

export interface Job {
  jobId: string
  /** The id in n8n; missing if the job is gone by now. */
  executionId?: string
  ageSeconds?: number
}

/** The waiting job that was added first. It may not be the next one, because n8n 2 gives jobs priorities. */
export async function readOldest(queue: Queue): Promise<Job | undefined> {
  const ids = await idsIn(queue, 'wait', 'paused')
  // Bull numbers jobs in the order in which they are added.
  const first = ids.reduce<number>((least, id) => Math.min(least, Number(id)), Infinity)
  return Number.isFinite(first) ? await readJob(queue, String(first)) : undefined
}

/** Every job in these lists of Bull. */
export async function readJobs(queue: Queue, ...lists: string[]): Promise<Job[]> {
  const ids = await idsIn(queue, ...lists)
  return await Promise.all(ids.map((id) => readJob(queue, id)))
}

async function idsIn({ client, key }: Queue, ...lists: string[]): Promise<string[]> {
  return (await Promise.all(lists.map((list) => client.lrange(key(list), 0, -1)))).flat()
}

/** Longer than Bull takes to lock a job that it has moved to the active ones. */
const LOCKING_MS = 100

/** Active jobs without the lock of a worker: the worker died, or was too busy to renew it. */
export async function readStalled(queue: Queue): Promise<Job[]> {
  const active = await idsIn(queue, 'active')
  let suspects = await unlocked(queue, active)
  if (suspects.length) {
    await sleep(LOCKING_MS)
    const still = new Set(await idsIn(queue, 'active'))
    suspects = await unlocked(
      queue,
      suspects.filter((id) => still.has(id)),
    )
  }
  return await Promise.all(suspects.map((id) => readJob(queue, id)))
}

async function unlocked({ client, key }: Queue, ids: string[]): Promise<string[]> {
  const locked = await Promise.all(ids.map((id) => client.exists(key(`${id}:lock`))))
  return ids.filter((_, number) => locked[number] === 0)
}

async function readJob({ client, key }: Queue, jobId: string): Promise<Job> {
  const [data, timestamp] = await client.hmget(key(jobId), 'data', 'timestamp')
  return {
    jobId,
    ...(data && { executionId: String((JSON.parse(data) as { executionId?: unknown }).executionId) }),
    ...(timestamp && { ageSeconds: Math.max(0, (Date.now() - Number(timestamp)) / 1000) }),
  }
}
