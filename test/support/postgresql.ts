import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { until } from '../../loadtests/src/support/await.ts'
import { paths } from '../../loadtests/src/support/paths.ts'
import { freePorts } from '../../loadtests/src/support/ports.ts'
import { postgresql } from '../../loadtests/src/target/local/images/postgresql.ts'

export interface PostgresqlServer {
  port: number
  password: string
  stop(): Promise<void>
}

/**
 * A real PostgreSQL of its own on a free loopback port, with a user and a database n8n. Arguments such as `-c
 * fsync=off` are its own.
 */
export async function startPostgresql(args: string[] = []): Promise<PostgresqlServer> {
  const { env, user } = await postgresql({ repository: 'postgres', tag: '' })
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-postgresql-'))
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
  const listens = async () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
        .on('connect', () => resolve(true))
        .on('error', () => resolve(false))
        .on('close', () => resolve(false))
      setTimeout(() => socket.destroy(), 1000).unref()
      socket.on('connect', () => socket.end())
    })
  if (!(await until(listens, { timeout: 60_000, every: 50 })))
    throw new Error(`Expected PostgreSQL to listen on port ${port} within 60 s, got:\n${log}`)
  return {
    port,
    password,
    async stop() {
      const ended = once(child, 'exit')
      // At once, without waiting for clients.
      if (child.kill('SIGQUIT')) await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
