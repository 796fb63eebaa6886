import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { FaultCause } from './faults.ts'
import { redisLogin } from '../n8n/settings.ts'
import { invalid } from '../lib/errors.ts'
import { connectionTo } from '../n8n/database.ts'

type Settings = Record<string, string>
type How<By> = Extract<FaultCause, { by: By; how: unknown }> extends { how: infer H } ? H : never
type Command = [name: string, ...args: string[]]

const silence = Symbol('no answer')

/**
 * Injects a fault into Redis; returns a function that recovers from it, and puts back what was changed. Redis may take
 * `patience` seconds for a command.
 */
export async function injectIntoRedis(
  how: How<'redis'>,
  seconds: number,
  settings: Settings,
  patience = 30,
): Promise<() => Promise<void>> {
  const client = new Redis({
    ...redisLogin(settings),
    // A paused Redis answers after the pause.
    maxRetriesPerRequest: null,
  })
  client.on('error', () => {})
  const tell = async ([name, ...args]: Command) => {
    const answer = await Promise.race([
      client.call(name, ...args),
      setTimeout(1000 * patience, silence, { ref: false }),
    ])
    if (answer === silence)
      throw invalid(
        'redis-unanswered',
        `Expected Redis to take ${name} within ${patience} s, got no answer: the fault did not begin.`,
        'Look whether Redis runs: its log is in the run’s folder.',
      )
    return answer
  }
  const ended = async (undo: Command[]) => {
    try {
      for (const command of undo) await tell(command)
    } finally {
      client.disconnect()
    }
  }
  /** Where the second of two commands fails, the first is taken back. */
  const changed = async (commands: Command[], undo: Command[] = []) => {
    try {
      for (const command of commands) await tell(command)
    } catch (error) {
      await ended(undo).catch(() => {})
      throw error
    }
    return () => ended(undo)
  }
  try {
    switch (how) {
      case 'cut':
        return await changed(['normal', 'pubsub'].map((type) => ['CLIENT', 'KILL', 'TYPE', type]))
      case 'pause':
        return await changed([['CLIENT', 'PAUSE', String(1000 * seconds), 'ALL']])
      case 'empty':
        return await changed([['FLUSHALL', 'SYNC']])
      case 'full': {
        const before = {
          'maxmemory-policy': valueOf(await tell(['CONFIG', 'GET', 'maxmemory-policy'])),
          maxmemory: valueOf(await tell(['CONFIG', 'GET', 'maxmemory'])),
        }
        // With another policy it would make room by deleting n8n's data, and refuse nothing.
        return await changed(
          [
            ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'],
            ['CONFIG', 'SET', 'maxmemory', '1'],
          ],
          // Its limit first, or it would delete data for its last moment with too little memory.
          [
            ['CONFIG', 'SET', 'maxmemory', before.maxmemory],
            ['CONFIG', 'SET', 'maxmemory-policy', before['maxmemory-policy']],
          ],
        )
      }
      case 'read-only': {
        const [role, host, port] = (await tell(['ROLE'])) as [string, string, number]
        const master = role === 'slave' ? [host, String(port)] : ['NO', 'ONE']
        // With its master at port 1, where nothing listens, it keeps its data and refuses writes.
        return await changed([['REPLICAOF', '127.0.0.1', '1']], [['REPLICAOF', ...master]])
      }
    }
  } catch (error) {
    client.disconnect()
    throw error
  }
}

/** CONFIG GET answers with the name and the value. */
const valueOf = (answer: unknown): string => (answer as [string, string])[1]

/** Injects a fault into n8n’s connections to PostgreSQL; returns a function that recovers from it, as above. */
export async function injectIntoPostgresql(how: How<'postgresql'>, settings: Settings): Promise<() => Promise<void>> {
  switch (how) {
    case 'cut':
      await within(settings, (client) =>
        client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '
            + 'current_database()',
        ),
      )
      return async () => {}
    case 'read-only':
      return makeReadOnly(settings)
    case 'fill': {
      const taken = await takeConnections(settings)
      return async () => void (await Promise.all(taken.map((each) => each.end())))
    }
  }
}

async function connected(settings: Settings): Promise<pg.Client> {
  const client = new pg.Client(connectionTo(settings))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Over a connection of its own: one from before the fault may be broken after it. */
async function within<T>(settings: Settings, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(settings)
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const readOnly = 'default_transaction_read_only'

/** Open connections follow, as they do when a service's disk fills. */
async function makeReadOnly(settings: Settings): Promise<() => Promise<void>> {
  const before = await within(settings, async (client) => {
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_file_settings WHERE name = $1 AND sourcefile LIKE '%/postgresql.auto.conf'",
      [readOnly],
    )
    return rows[0]?.setting
  })
  const change = (to: string) =>
    within(settings, async (client) => {
      await client.query(`ALTER SYSTEM ${to}`)
      await client.query('SELECT pg_reload_conf()')
    })
  const restore = () =>
    change(before === undefined ? `RESET ${readOnly}` : `SET ${readOnly} = ${pg.escapeLiteral(before)}`)
  try {
    await change(`SET ${readOnly} = on`)
  } catch (error) {
    await restore().catch(() => {})
    throw error
  }
  return restore
}

/** PostgreSQL's code of having no connection left. */
const tooMany = '53300'

/** Takes them one by one, until none is left. */
async function takeConnections(settings: Settings): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    try {
      taken.push(await connected(settings))
    } catch (error) {
      if ((error as { code?: string }).code === tooMany) return taken
      await Promise.all(taken.map((each) => each.end()))
      throw error
    }
  }
}
