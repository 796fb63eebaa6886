import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { postgresqlImage } from '../../loadtests/src/targets/local/images.ts'
import { findProgram } from '../../loadtests/src/targets/local/programs.ts'

export interface PgBouncer {
  port: number
  /** As when it crashes. */
  kill(): Promise<void>
  /** Again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A real PgBouncer before this PostgreSQL, which gives each transaction another of two sessions. */
export async function startPgBouncer(server: { port: number; password: string }): Promise<PgBouncer> {
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const { user } = await postgresqlImage({ repository: 'postgres', tag: '' })
  const program = await findProgram('pgbouncer', 'this test')
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-pgbouncer-'))
  if (user) await chown(home, user.uid, user.gid)
  const [port] = (await freePorts(1)) as [number]
  await writeFile(
    join(home, 'pgbouncer.ini'),
    `[databases]
n8n = host=127.0.0.1 port=${server.port} user=n8n password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_login_retry = 1
`,
  )
  let log = ''
  let child: ChildProcess
  const start = async () => {
    log = ''
    child = spawn(program, [join(home, 'pgbouncer.ini')], {
      ...(user && { uid: user.uid, gid: user.gid }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (log += text))
    if (!(await until(async () => log.includes('process up'), { timeout: 20_000, every: 50 })))
      throw new Error(`Expected PgBouncer to start within 20 s, got:\n${log}`)
  }
  const kill = async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  }
  await start()
  return {
    port,
    kill,
    restart: start,
    async stop() {
      await kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}
