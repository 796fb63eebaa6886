import pg from 'pg'
import { until } from '../../loadtests/src/lib/await.ts'
import { startPostgresql } from '../support/postgresql.ts'
import { startRedis } from '../support/redis.ts'
import { postgres, type Database } from './database.ts'

export const setups = ['sqlite', 'postgresql', 'queue'] as const
export type Setup = (typeof setups)[number]

/** Where one side keeps its data beside its files, and n8n's settings for that. */
export interface Stores {
  env: Record<string, string>
  /** None where n8n keeps it in a file. */
  database?: Database
  stop(): Promise<void>
}

/**
 * A separate store for each of these sides. In queue mode each has its own Redis, because databases of one Redis share
 * channels.
 */
export async function startStores(setup: Setup, sides: number): Promise<Stores[]> {
  if (setup === 'sqlite') return Array.from({ length: sides }, () => ({ env: {}, stop: async () => {} }))
  // Without writes to disk: the test never cuts the power, and compares nothing that depends on the disk.
  const server = await startPostgresql(['-c', 'fsync=off'])
  let users = sides
  return Promise.all(
    Array.from({ length: sides }, async (_, index) => {
      const name = `side${index}`
      await createDatabase(server.port, server.password, name)
      const redis = setup === 'queue' ? await startRedis() : undefined
      const database = postgres(server.port, server.password, name)
      return {
        env: { ...databaseEnv(server.port, server.password, name), ...(redis && queueEnv(redis.port)) },
        database,
        async stop() {
          await database.close()
          await redis?.stop()
          if (--users === 0) await server.stop()
        },
      }
    }),
  )
}

async function createDatabase(port: number, password: string, name: string): Promise<void> {
  const connect = async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'n8n', password, database: 'n8n' })
    client.on('error', () => {})
    return client.connect().then(
      () => client,
      () => undefined,
    )
  }
  // It listens for a while before it answers.
  const client = await until(connect, { timeout: 60_000, every: 100 })
  if (!client) throw new Error('Expected PostgreSQL to answer within 60 s, got nothing')
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  await client.end()
}

const databaseEnv = (port: number, password: string, name: string) => ({
  DB_TYPE: 'postgresdb',
  DB_POSTGRESDB_HOST: '127.0.0.1',
  DB_POSTGRESDB_PORT: String(port),
  DB_POSTGRESDB_USER: 'n8n',
  DB_POSTGRESDB_PASSWORD: password,
  DB_POSTGRESDB_DATABASE: name,
})

const queueEnv = (port: number) => ({
  EXECUTIONS_MODE: 'queue',
  QUEUE_BULL_REDIS_HOST: '127.0.0.1',
  QUEUE_BULL_REDIS_PORT: String(port),
})
