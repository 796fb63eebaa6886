import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'

export interface RedisServer {
  port: number
  /** Runs one command, in database 0. */
  run(...command: [string, ...(string | number)[]]): Promise<unknown>
  /** As when it crashes. */
  kill(): Promise<void>
  /** Keeps its connections and answers nothing, until it thaws. */
  freeze(): void
  thaw(): void
  /** Again on the same port; with nothing in it. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  /** A file of settings, and the kind of server. */
  config?: string[]
  args?: string[]
  /** Folder with ca.crt, redis.crt and redis.key: it then speaks nothing but TLS. */
  tls?: string
}

/** A real Redis of its own on a free loopback port. */
export async function startRedis({ config, args = [], tls }: Options = {}): Promise<RedisServer> {
  const binary = findRedis()
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-redis-'))
  const [port] = (await freePorts(1)) as [number]
  const listening = tls
    ? [
        '--port',
        '0',
        '--tls-port',
        String(port),
        '--tls-cert-file',
        join(tls, 'redis.crt'),
        '--tls-key-file',
        join(tls, 'redis.key'),
        '--tls-ca-cert-file',
        join(tls, 'ca.crt'),
        '--tls-auth-clients',
        'no',
      ]
    : ['--port', String(port)]
  const client = () =>
    new Redis({
      port,
      host: '127.0.0.1',
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      ...(tls && { tls: { rejectUnauthorized: false } }),
    }).on('error', () => {})

  let child: ChildProcess | undefined
  const run: RedisServer['run'] = async (name, ...rest) => {
    const one = client()
    try {
      await one.connect()
      return await one.call(name, ...rest)
    } finally {
      one.disconnect()
    }
  }
  const start = async () => {
    child = spawn(
      binary,
      [
        ...(config ?? []),
        ...listening,
        ...['--bind', '127.0.0.1', '--dir', home, '--loglevel', 'warning'],
        ...(config ? [] : ['--save', '']),
        ...args,
      ],
      { stdio: 'ignore' },
    )
    const answers = () =>
      run('PING').then(
        () => true,
        () => false,
      )
    if (!(await until(answers, { timeout: 30_000, every: 20 })))
      throw new Error(`Expected redis-server to answer on port ${port} within 10 s, got nothing`)
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    port,
    run,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    restart: start,
    async stop() {
      await kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** One that is there, else Debian's package. Nothing of it is left running by the installation. */
function findRedis(): string {
  const find = () => {
    try {
      return execFileSync('sh', ['-c', 'command -v redis-server'], { encoding: 'utf8' }).trim()
    } catch {
      return undefined
    }
  }
  const found = find()
  if (found) return found
  if (process.getuid?.() === 0) {
    try {
      // Kept from starting the service, which is not ours to run.
      execFileSync(
        'sh',
        [
          '-c',
          'apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq '
            + '--no-install-recommends redis-server',
        ],
        { stdio: 'ignore' },
      )
    } catch {
      // The message below says what to do.
    }
  }
  const installed = find()
  if (!installed)
    throw new Error('Expected redis-server on PATH, found none. Install it (apt-get install redis-server).')
  return installed
}

/** Two servers that are one cluster, each with half of the keys. */
export async function startCluster(): Promise<{ servers: RedisServer[]; nodes: string; stop(): Promise<void> }> {
  // By default a server's second port lies 10,000 above its first, where outgoing connections take their ports.
  const buses = (await freePorts(2)) as [number, number]
  const servers = await Promise.all(
    buses.map((bus) => startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-port', String(bus)] })),
  )
  const [a, b] = servers as [RedisServer, RedisServer]
  await a.run('CLUSTER', 'ADDSLOTSRANGE', 0, 8191)
  await b.run('CLUSTER', 'ADDSLOTSRANGE', 8192, 16383)
  await a.run('CLUSTER', 'MEET', '127.0.0.1', b.port, buses[1])
  const isWhole = async () =>
    (await Promise.all(servers.map((server) => server.run('CLUSTER', 'INFO')))).every(
      (info) => /cluster_state:ok/.test(String(info)) && /cluster_size:2/.test(String(info)),
    )
  if (!(await until(isWhole, { timeout: 30_000, every: 100 })))
    throw new Error('Expected two redis-servers to become a cluster within 20 s, got none')
  return {
    servers,
    nodes: `127.0.0.1:${a.port},127.0.0.1:${b.port}`,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  }
}

/** A Sentinel that watches this server under the name `mymaster`; with a folder of certificates it speaks TLS. */
export async function startSentinel({ port: master }: RedisServer, tls?: string): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-sentinel-'))
  const file = join(folder, 'sentinel.conf')
  await writeFile(file, `sentinel monitor mymaster 127.0.0.1 ${master} 1\n${tls ? 'tls-replication yes\n' : ''}`)
  const sentinel = await startRedis({ config: [file, '--sentinel'], tls })
  return {
    ...sentinel,
    async stop() {
      await sentinel.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a certificate of our own for localhost. */
export async function makeCertificates(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-tls-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
  )
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=redis.test',
    '-keyout',
    'redis.key',
    '-out',
    'redis.csr',
  )
  execFileSync(
    'sh',
    [
      '-c',
      'echo subjectAltName=DNS:redis.test > names && openssl x509 -req -in redis.csr -CA ca.crt -CAkey '
        + 'ca.key -CAcreateserial -days 2 -extfile names -out redis.crt',
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  return folder
}
