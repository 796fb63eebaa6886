import { Redis } from 'ioredis'
import { queueKey, redisServer } from './redis.ts'

/** The jobs in n8n's Bull queue. Only reads. */
export interface Queue {
  look(): Promise<QueueLook>
  close(): Promise<void>
}

export interface QueueLook extends Depth {
  /** The number of jobs ever added. */
  added: number
  /** Everything that Redis keeps, of n8n or not. */
  keys: number
}

export interface Depth {
  /** Jobs that wait for a worker. */
  waiting: number
  /** Jobs that a worker runs. */
  active: number
}

/** Connects with n8n's own settings, as they apply where the lab runs; null in regular mode. */
export function openQueue(settings: Record<string, string>): Queue | null {
  if (settings.EXECUTIONS_MODE !== 'queue') return null
  const client = new Redis({
    ...redisServer(settings),
    maxRetriesPerRequest: 2,
    commandTimeout: 10_000,
    lazyConnect: true,
  })
  // If the connection breaks, the query fails and reports it.
  client.on('error', () => {})
  const key = (name: string) => queueKey(settings, name)
  return {
    async look() {
      const answers = await client
        .multi()
        .get(key('id'))
        .llen(key('active'))
        .llen(key('wait'))
        .llen(key('paused'))
        .zcard(key('delayed'))
        .dbsize()
        .exec()
      const [added = 0, active = 0, wait = 0, paused = 0, delayed = 0, keys = 0] = answers!.map(([error, value]) => {
        if (error) throw error
        return Number(value)
      })
      return { added, active, waiting: wait + paused + delayed, keys }
    },
    async close() {
      client.disconnect()
    },
  }
}
