import { Redis } from 'ioredis'
import { queueKey, redisServer } from './redis.ts'

/** More jobs than any fault lets pass. */
const jobs = 1_000_000

/**
 * Lets the queue count on as if it had had a million jobs more. It numbers them, and counts from one again when Redis
 * loses its data. In a young n8n a new job soon has the number of a lost one, and its end passes for the other's. That
 * hides a loss which an n8n that has run for a while would show.
 */
export async function ageQueue(settings: Record<string, string>): Promise<void> {
  if (settings.EXECUTIONS_MODE !== 'queue') return
  const client = new Redis({ ...redisServer(settings), maxRetriesPerRequest: 2, lazyConnect: true })
  // If the connection breaks, the command fails and reports it.
  client.on('error', () => {})
  try {
    await client.incrby(queueKey(settings, 'id'), jobs)
  } finally {
    client.disconnect()
  }
}
