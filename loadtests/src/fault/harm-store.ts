import { Redis } from 'ioredis'
import pg from 'pg'
import type { Cause } from '../shared/faults.ts'
import { connectionTo } from './executions.ts'

type Settings = Record<string, string>
type How<By> = Extract<Cause, { by: By; how: unknown }> extends { how: infer H } ? H : never

/** Disturbs Redis; returns a function that ends the disturbance. */
export async function harmRedis(how: How<'redis'>, seconds: number, settings: Settings): Promise<() => Promise<void>> {
  const client = new Redis({
    host: settings.QUEUE_BULL_REDIS_HOST,
    port: Number(settings.QUEUE_BULL_REDIS_PORT ?? 6379),
    username: settings.QUEUE_BULL_REDIS_USERNAME,
    password: settings.QUEUE_BULL_REDIS_PASSWORD,
    // A paused Redis answers after the pause.
    maxRetriesPerRequest: null,
  })
  client.on('error', () => {})
  const ended = async (...command: [string, ...string[]][]) => {
    for (const [name, ...args] of command) await client.call(name, ...args)
    client.disconnect()
  }
  switch (how) {
    case 'pause':
      await client.call('CLIENT', 'PAUSE', String(1000 * seconds), 'ALL')
      return () => ended()
    case 'empty':
      await client.call('FLUSHALL', 'SYNC')
      return () => ended()
    case 'full':
      await client.call('CONFIG', 'SET', 'maxmemory', '1')
      return () => ended(['CONFIG', 'SET', 'maxmemory', '0'])
    case 'read-only':
      // With its master at port 1, where nothing listens, it keeps its data and refuses writes.
      await client.call('REPLICAOF', '127.0.0.1', '1')
      return () => ended(['REPLICAOF', 'NO', 'ONE'])
  }
}

/** Disturbs n8n's connections to PostgreSQL; returns a function that ends the disturbance. */
export async function harmPostgresql(how: How<'postgresql'>, settings: Settings): Promise<() => Promise<void>> {
  const open = async () => {
    const client = new pg.Client(connectionTo(settings))
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const client = await open()
  if (how === 'cut') {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '
        + 'current_database()',
    )
    return () => client.end()
  }
  const taken = [client]
  try {
    // Ends them one by one, until none is left.
    for (;;) taken.push(await open())
  } catch {
    return async () => void (await Promise.all(taken.map((each) => each.end())))
  }
}
