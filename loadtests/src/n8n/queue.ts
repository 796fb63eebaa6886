import { Redis } from 'ioredis'
import { isQueueMode, queuePrefixOf, redisLogin, type Settings } from './settings.ts'

/** A key of n8n's Bull queue. */
const queueKey = (settings: Settings, name: string) => `${queuePrefixOf(settings)}:jobs:${name}`

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
  /** Commands that Redis ran since it started; absent where it does not say. */
  commands?: number
}

export interface Depth {
  /** Jobs that wait for a worker. */
  waiting: number
  /** Jobs that a worker runs. */
  active: number
}

/** Connects with n8n's own settings, as they apply where the lab runs; null in regular mode. */
export function openQueue(settings: Settings): Queue | null {
  if (!isQueueMode(settings)) return null
  const client = new Redis({
    ...redisLogin(settings),
    maxRetriesPerRequest: 2,
    commandTimeout: 10_000,
    lazyConnect: true,
  })
  // If the connection breaks, the query fails and reports it.
  client.on('error', () => {})
  const key = (name: string) => queueKey(settings, name)
  let tellsCommands = true
  const commands = async (): Promise<{ commands?: number }> => {
    if (!tellsCommands) return {}
    try {
      const [, ran] = /total_commands_processed:(\d+)/.exec(await client.info('stats')) ?? []
      return ran === undefined ? {} : { commands: Number(ran) }
    } catch {
      // A user of Redis may look at the queue and yet not at INFO. The rest is told without it.
      tellsCommands = false
      return {}
    }
  }
  return {
    async look() {
      const looked = client
        .multi()
        .get(key('id'))
        .llen(key('active'))
        .llen(key('claiming'))
        .llen(key('wait'))
        .llen(key('paused'))
        .zcard(key('delayed'))
        .dbsize()
        .exec()
      const [answers, ran] = await Promise.all([looked, commands()])
      const [added = 0, active = 0, claiming = 0, wait = 0, paused = 0, delayed = 0, keys = 0] = answers!.map(
        ([error, value]) => {
          if (error) throw error
          return Number(value)
        },
      )
      return { added, active: active + claiming, waiting: wait + paused + delayed, keys, ...ran }
    },
    async close() {
      client.disconnect()
    },
  }
}

/** More jobs than any fault lets pass. */
const jobs = 1_000_000

/**
 * Lets the queue count on as if it had had a million jobs more. It numbers them, and counts from one again when Redis
 * loses its data. In a young n8n a new job soon has the number of a lost one, and its end passes for the other's. That
 * hides a loss which an n8n that has run for a while would show.
 */
export async function ageQueue(settings: Settings): Promise<void> {
  if (!isQueueMode(settings)) return
  const client = new Redis({ ...redisLogin(settings), maxRetriesPerRequest: 2, lazyConnect: true })
  // If the connection breaks, the command fails and reports it.
  client.on('error', () => {})
  try {
    await client.incrby(queueKey(settings, 'id'), jobs)
  } finally {
    client.disconnect()
  }
}
