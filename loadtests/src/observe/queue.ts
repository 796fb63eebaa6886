import { Redis } from 'ioredis'

/** What n8n's Bull queue says of its jobs. Reading changes nothing in it. */
export interface Queue {
  look(): Promise<QueueLook>
  close(): Promise<void>
}

export interface QueueLook extends Depth {
  /** How many jobs there ever were. */
  added: number
}

export interface Depth {
  /** Jobs that no worker has yet. */
  waiting: number
  /** Jobs that a worker has. */
  active: number
}

/** By n8n's own settings, as they are where the lab runs; null in regular mode. */
export function openQueue(settings: Record<string, string>): Queue | null {
  if (settings.EXECUTIONS_MODE !== 'queue') return null
  const client = new Redis({
    host: settings.QUEUE_BULL_REDIS_HOST,
    port: Number(settings.QUEUE_BULL_REDIS_PORT ?? 6379),
    db: Number(settings.QUEUE_BULL_REDIS_DB ?? 0),
    username: settings.QUEUE_BULL_REDIS_USERNAME,
    password: settings.QUEUE_BULL_REDIS_PASSWORD,
    maxRetriesPerRequest: 2,
    lazyConnect: true,
  })
  // Told by the question that fails.
  client.on('error', () => {})
  const key = (name: string) => `${settings.QUEUE_BULL_PREFIX ?? 'bull'}:jobs:${name}`
  return {
    async look() {
      const answers = await client
        .multi()
        .get(key('id'))
        .llen(key('active'))
        .llen(key('wait'))
        .llen(key('paused'))
        .zcard(key('delayed'))
        .exec()
      const [added = 0, active = 0, ...waiting] = answers!.map(([error, value]) => {
        if (error) throw error
        return Number(value)
      })
      return { added, active, waiting: waiting.reduce((sum, count) => sum + count, 0) }
    },
    async close() {
      client.disconnect()
    },
  }
}
