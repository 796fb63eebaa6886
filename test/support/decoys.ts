import { Redis } from 'ioredis'
import { until } from '../../loadtests/src/lib/await.ts'
import { postgresqlEnv, startPostgresql } from './postgresql.ts'
import { startRedis } from './redis.ts'
import type { Values } from '../../loadtests/src/model/experiment.ts'

/** A real PostgreSQL and a real Redis that stand for production, and tell of every connection and every command. */
export interface Decoys {
  /** Values as of an operator whose n8n keeps its data there. */
  values: Values
  /** n8n's settings that lead there. */
  settings: Record<string, string>
  /** What anybody but this test has said to them since the last time. */
  heard(): Promise<string[]>
  stop(): Promise<void>
}

const end = 'the end of what was heard'

export async function startDecoys(): Promise<Decoys> {
  const [postgresql, redis] = await Promise.all([
    startPostgresql(['-c', 'log_statement=all', '-c', 'log_connections=on']),
    startRedis(),
  ])
  // The monitor is a connection of its own; the client that makes it never connects.
  const monitor = await new Redis({ host: '127.0.0.1', port: redis.port, lazyConnect: true }).monitor()
  let commands: string[] = []
  monitor.on('monitor', (_, args: string[]) => commands.push(args.join(' ')))

  /** Until the command of this test, which comes last. */
  async function heardByRedis(): Promise<string[]> {
    const before = await heard(
      () => commands,
      () => redis.run('ECHO', end),
    )
    commands = []
    // ioredis asks this itself when it connects.
    return before.filter((command) => command !== 'info')
  }

  let read = 0
  async function heardByPostgresql(): Promise<string[]> {
    const lines = () => postgresql.log().slice(read).split('\n')
    const before = await heard(lines, () => postgresql.run(`SELECT '${end}'`))
    read = postgresql.log().length
    // The connection of this test is the last one.
    const said = before.filter((line) => /connection received|statement:|execute /.test(line))
    return said.slice(
      0,
      said.findLastIndex((line) => line.includes('connection received')),
    )
  }

  const decoys: Decoys = {
    values: {
      executions: { mode: 'queue' },
      encryptionKey: { generate: true },
      database: {
        type: 'external',
        host: '127.0.0.1',
        port: postgresql.port,
        name: 'n8n',
        user: 'n8n',
        password: { value: postgresql.password },
      },
      redis: { type: 'external', host: '127.0.0.1', port: redis.port },
    },
    settings: {
      ...postgresqlEnv(postgresql),
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
    },
    heard: async () => [...(await heardByRedis()), ...(await heardByPostgresql())],
    async stop() {
      monitor.disconnect()
      await Promise.all([postgresql.stop(), redis.stop()])
    },
  }
  // Their own start.
  await decoys.heard()
  return decoys
}

/** What they told before the last command of this test, once they have told of that. */
async function heard(told: () => string[], last: () => Promise<unknown>): Promise<string[]> {
  await last()
  const at = () => told().findLastIndex((line) => line.includes(end))
  if (!(await until(async () => at() >= 0, { timeout: 10_000, every: 10 })))
    throw new Error('Expected a decoy to tell what it heard, got nothing')
  return told().slice(0, at())
}
