import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../../loadtests/src/lib/await.ts'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { postgresqlImage } from '../../loadtests/src/targets/local/images.ts'

export interface PostgresqlServer {
  port: number
  password: string
  /** Runs one statement. */
  run(sql: string): Promise<Record<string, unknown>[]>
  /** Its log until now. */
  log(): string
  stop(): Promise<void>
}

/** How n8n and the chart's scripts are told where it is. */
export const postgresqlEnv = ({ port, password }: Pick<PostgresqlServer, 'port' | 'password'>) => ({
  DB_TYPE: 'postgresdb',
  DB_POSTGRESDB_HOST: '127.0.0.1',
  DB_POSTGRESDB_PORT: String(port),
  DB_POSTGRESDB_DATABASE: 'n8n',
  DB_POSTGRESDB_USER: 'n8n',
  DB_POSTGRESDB_PASSWORD: password,
  DB_POSTGRESDB_SCHEMA: 'public',
})

/**
 * A real PostgreSQL of its own on a free loopback port, with a user and a database n8n. Arguments such as `-c
 * fsync=off` are its own. Its data is in a new folder in this one.
 */
export async function startPostgresql(args: string[] = [], disk = tmpdir()): Promise<PostgresqlServer> {
  const { env, user } = await postgresqlImage({ repository: 'postgres', tag: '' })
  const home = await mkdtemp(join(disk, 'n8n-tuned-postgresql-'))
  if (user) await chown(home, user.uid, user.gid)
  const [port] = (await freePorts(1)) as [number]
  const password = 'sesame'
  const child = spawn(
    '/bin/sh',
    ['-c', await readFile(paths.postgresqlEntrypoint, 'utf8'), 'postgresql', '-c', 'max_connections=100', ...args],
    {
      cwd: home,
      env: {
        ...env,
        PGPORT: String(port),
        PGDATA: join(home, 'data'),
        POSTGRES_DB: 'n8n',
        POSTGRES_USER: 'n8n',
        POSTGRES_PASSWORD: password,
        TMPDIR: home,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(user && { uid: user.uid, gid: user.gid }),
    },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const database = { host: '127.0.0.1', port, user: 'n8n', password, database: 'n8n' }
  // It listens before it answers: until then it says that it is starting up.
  const answers = async () => {
    const client = new pg.Client({ ...database, connectionTimeoutMillis: 1000 })
    // A connection that is lost later is no crash of the test.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  if (!(await until(answers, { timeout: 60_000, every: 50 })))
    throw new Error(`Expected PostgreSQL to answer on port ${port} within 60 s, got:\n${log}`)
  return {
    port,
    password,
    async run(sql) {
      const client = new pg.Client(database)
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end()
      }
    },
    log: () => log,
    async stop() {
      const ended = once(child, 'exit')
      // At once, without waiting for clients.
      if (child.kill('SIGQUIT')) await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
