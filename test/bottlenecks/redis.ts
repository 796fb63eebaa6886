import { readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { pidsOf } from './groups.ts'

/**
 * Milliseconds in which Redis does not answer, and in which it answers again. A second is no multiple of their sum: the
 * lab looks once a second, and would otherwise always meet the same moment of a pause.
 */
const pause = 400
const between = 70

/** What the lab is to protect its Redis with. */
export const redisPassword = 'sesame'

/** The lab's Redis as one that is slow. */
export async function pauseRedis(lab: number): Promise<() => Promise<void>> {
  const [pid] = await pidsOf(lab, 'redis-0')
  // Redis writes its address over its arguments and its environment: `redis-server 127.0.0.1:28780`.
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8')
  const client = new Redis({
    host: '127.0.0.1',
    port: Number(/:(\d+)/.exec(title)![1]),
    password: redisPassword,
    retryStrategy: () => null,
  }).on('error', () => {})
  await client.ping()
  const timer = setInterval(() => void client.call('CLIENT', 'PAUSE', pause, 'ALL').catch(() => {}), pause + between)
  return async () => {
    clearInterval(timer)
    client.disconnect()
  }
}
