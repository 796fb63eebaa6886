import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { status, textOf, until } from '../src/lib/await.ts'
import { freePorts } from '../src/lib/ports.ts'
import type { OpenBalancer } from '../src/targets/local/machine.ts'
import { begun, type BesideContainer } from '../src/targets/local/beside.ts'
import { machineNetwork } from '../src/targets/local/network.ts'
import { usageOf } from '../src/targets/local/usage.ts'
import { invalid } from '../src/lib/errors.ts'
import type { Bench } from './bench.ts'
import type { Watched } from './measure.ts'

/** A Node server without n8n. */
export interface Server {
  kind: 'http' | 'express' | 'sails'
  /** Workers of Node's cluster module; 0 runs without it. */
  cluster: number
  /** Separate servers, behind a balancer. */
  replicas: number
  balancer?: OpenBalancer
  /** Cores of each replica, with all its workers. */
  cpu: number | null
}

export interface Serving {
  url: string
  processes: Watched[]
}

const program = join(import.meta.dirname, 'server/main.mjs')
const patience = 10_000

/** Starts it, and returns once each of its processes answers. */
export async function serve(bench: Bench, server: Server): Promise<Serving> {
  const balancer = await server.balancer?.(bench.post)
  const network = balancer?.network ?? machineNetwork
  const [port, ...ports] = (await freePorts(1 + 2 * server.replicas)) as [number, ...number[]]
  const replicas = Array.from({ length: server.replicas }, (_, index) => ({
    name: `server-${index}`,
    port: ports[2 * index]!,
    counts: `http://${network.address}:${ports[2 * index + 1]}/counts`,
    countsPort: ports[2 * index + 1]!,
  }))
  const started = []
  for (const { name, port: own, counts, countsPort } of replicas) {
    const env = {
      PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
      NODE_ENV: 'production',
      SERVER: server.kind,
      CLUSTER: String(server.cluster),
      PORT: String(own),
      COUNTS_PORT: String(countsPort),
    }
    const argv = network.enter([process.execPath, '--no-warnings', program])
    const beside = await bench.start(name, argv, env, { cpu: server.cpu, memory: null })
    await begun(
      beside,
      async () => (await status(counts)) === 200,
      bench.post,
      (log) => invalid('server-failed', `Expected ${name} to answer, but it did not.`, 'Its log says why.', log),
    )
    started.push({ beside, counts })
  }
  const balancing = await balancer?.balance([
    { component: 'server', port, backends: replicas.map(({ port: own }) => own) },
  ])
  const entry = balancing ? port : replicas[0]!.port
  const url = `http://${network.address}:${entry}`
  if (!(await until(async () => (await status(`${url}/hello`)) === 200, { timeout: patience, every: 50 })))
    throw invalid('server-failed', `Expected ${url}/hello to answer, but it did not.`, 'Run it on a quiet machine.')
  return {
    url,
    processes: [
      ...(balancing ? [balancing] : []),
      ...started.flatMap(({ beside, counts }) => processesOf(server, beside, counts)),
    ],
  }
}

/** A cluster's master and workers, each watched by itself: each worker has MEMBER in its environment. */
function processesOf({ cluster }: Server, { process, container }: BesideContainer, counts: string): Watched[] {
  if (cluster === 0) return [{ ...process, answered: () => countAt(counts) }]
  const nameOf = rememberNames()
  const members = ['master', ...Array.from({ length: cluster }, (_, index) => `worker-${index + 1}`)]
  return members.map((member) => ({
    ...process,
    name: `${process.name}-${member}`,
    async usage() {
      const named = await Promise.all((await container.pids()).map(async (pid) => ({ pid, name: await nameOf(pid) })))
      return usageOf(
        null,
        named.filter(({ name }) => name === member).map(({ pid }) => pid),
      )
    },
    ...(member !== 'master' && { answered: () => countAt(`${counts}/${member}`) }),
  }))
}

const countAt = async (url: string): Promise<number | null> => {
  const text = await textOf(url, patience)
  return text === null ? null : Number(text)
}

/** The environment of a process stays the same while it lives. A process without a member in it is the master. */
function rememberNames(): (pid: number) => Promise<string> {
  const names = new Map<number, string>()
  return async (pid) => {
    const known = names.get(pid)
    if (known !== undefined) return known
    const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const name = /(?:^|\0)MEMBER=([^\0]+)/.exec(environ)?.[1] ?? 'master'
    if (environ) names.set(pid, name)
    return name
  }
}
