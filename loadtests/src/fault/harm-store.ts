import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Cause } from '../shared/fault-table.ts'
import { redisServer } from '../shared/redis.ts'
import { outcomeErrors } from './errors.ts'
import { connectionTo } from './executions.ts'

type Settings = Record<string, string>
type How<By> = Extract<Cause, { by: By; how: unknown }> extends { how: infer H } ? H : never

const silence = Symbol('no answer')

/**
 * Disturbs Redis; returns a function that ends the disturbance. Redis may take `patience` seconds for a command.
 */
export async function harmRedis(
  how: How<'redis'>,
  seconds: number,
  settings: Settings,
  patience = 30,
): Promise<() => Promise<void>> {
  const client = new Redis({
    ...redisServer(settings),
    // A paused Redis answers after the pause.
    maxRetriesPerRequest: null,
  })
  client.on('error', () => {})
  const tell = async (name: string, ...args: string[]) => {
    const answer = await Promise.race([
      client.call(name, ...args),
      setTimeout(1000 * patience, silence, { ref: false }),
    ])
    if (answer !== silence) return
    client.disconnect()
    throw outcomeErrors.redisUnanswered(name, patience)
  }
  const ended = async (...command: [string, ...string[]][]) => {
    for (const [name, ...args] of command) await tell(name, ...args)
    client.disconnect()
  }
  switch (how) {
    case 'cut':
      for (const type of ['normal', 'pubsub']) await tell('CLIENT', 'KILL', 'TYPE', type)
      return () => ended()
    case 'pause':
      await tell('CLIENT', 'PAUSE', String(1000 * seconds), 'ALL')
      return () => ended()
    case 'empty':
      await tell('FLUSHALL', 'SYNC')
      return () => ended()
    case 'full':
      await tell('CONFIG', 'SET', 'maxmemory', '1')
      return () => ended(['CONFIG', 'SET', 'maxmemory', '0'])
    case 'read-only':
      // With its master at port 1, where nothing listens, it keeps its data and refuses writes.
      await tell('REPLICAOF', '127.0.0.1', '1')
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
  if (how === 'read-only') {
    // Open connections follow, as they do when a service's disk fills.
    const reload = async (change: string) => {
      await client.query(`ALTER SYSTEM ${change}`)
      await client.query('SELECT pg_reload_conf()')
    }
    await reload('SET default_transaction_read_only = on')
    return async () => {
      await reload('RESET default_transaction_read_only')
      await client.end()
    }
  }
  const taken = [client]
  try {
    // Ends them one by one, until none is left.
    for (;;) taken.push(await open())
  } catch {
    return async () => void (await Promise.all(taken.map((each) => each.end())))
  }
}
