import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from '../../../await.ts'
import { errors } from '../../../errors.ts'
import { paths } from '../../../paths.ts'
import type { Order, RunningProcess } from '../../target.ts'
import { runContainer, type Container } from '../container.ts'
import { findProgram } from '../images/programs.ts'
import { openLog } from '../log.ts'
import type { Machine } from '../machine.ts'
import { machineNetwork, type Network } from '../network.ts'
import { usageOf } from '../usage.ts'
import type { Front } from './front.ts'
import { addRules, namespaceCommand, namespaceNetwork, networkIsUp, nextLink } from './namespace.ts'
import { layOutNginx } from './nginx.ts'

/** What stands before the replicas of a plan. */
export interface Balancer {
  /** The one that the replicas have to be in. */
  network: Network
  /** Serves the fronts, in a process of its own under no limits, on the generator's cores. */
  balance(fronts: Front[]): Promise<RunningProcess[]>
}

export interface Post {
  /** The plan's name, and its folder. */
  name: string
  folder: string
  order: Order
  machine: Machine
  /** Told of what has to be stopped with the plan. */
  started(container: Container): void
}

const patience = 10_000
const none = { cpu: null, memory: null }

export async function openBalancer(post: Post): Promise<Balancer> {
  if (post.order.balancer === 'iptables') return openNamespace(post)
  const { balancer } = post.order
  return {
    network: machineNetwork,
    async balance(fronts) {
      const { argv, env } = balancer === 'nginx' ? await nginx(fronts, join(post.folder, 'nginx')) : node(fronts)
      const { process, container } = await start(argv, env, post)
      await begun(container, balancer, () => allReached(fronts), post)
      return [process]
    },
  }
}

async function nginx(fronts: Front[], folder: string) {
  const program = await findProgram('nginx', 'the balancer nginx')
  return { argv: [program, ...(await layOutNginx(fronts, folder, process.getuid?.() === 0))], env: {} }
}

const node = (fronts: Front[]) => ({ argv: [process.execPath, '--no-warnings', paths.nodeBalancer], env: { FRONTS: JSON.stringify(fronts) } })

/** The kernel balances: the process only keeps the network. */
async function openNamespace(post: Post): Promise<Balancer> {
  if (process.getuid?.() !== 0) throw errors.needsRoot('the balancer iptables')
  for (const program of ['unshare', 'nsenter', 'ip', 'iptables']) await findProgram(program, 'the balancer iptables')
  const link = nextLink()
  const { process: holding, container, said } = await start(namespaceCommand(link, process.pid), {}, post)
  await begun(container, 'iptables', async () => said(networkIsUp), post)
  const [holder] = (await container.pids()) as [number]
  const network = namespaceNetwork(link, holder)
  return {
    network,
    async balance(fronts) {
      await addRules(fronts, network).catch((error: Error) => {
        throw errors.balancerFailed('iptables', error.message.split('\n'))
      })
      return [holding]
    },
  }
}

async function start(argv: string[], env: Record<string, string>, { name: plan, order, machine, started }: Post) {
  const name = 'balancer'
  const box = await machine.limiter.box(`${plan}-${name}`, none)
  const log = openLog(join(order.logs, `${name}.log`))
  const surroundings = { PATH: process.env.PATH ?? '', TMPDIR: machine.scratch.path, ...env }
  const container = runContainer({ name, argv: machine.placeBeside(argv), env: surroundings, cwd: machine.scratch.path, grace: 0 }, box, log, order.onEvent, machine.scratch.track)
  started(container)
  const usage = async () => usageOf(await box.cpuSeconds(), await container.pids())
  const process_: RunningProcess = { name, limits: none, serves: false, restarts: container.restarts, usage }
  return { container, process: process_, said: log.includes }
}

async function begun(container: Container, kind: string, ask: () => Promise<boolean>, { order }: Post): Promise<void> {
  const outcome = await until(async () => (container.lastExit() ? 'ended' : ask()), { timeout: patience, every: 50, signal: order.signal })
  order.signal.throwIfAborted()
  if (outcome !== true) throw errors.balancerFailed(kind, container.lastExit()?.log ?? [])
}

const allReached = async (fronts: Front[]) => (await Promise.all(fronts.map(({ port }) => accepts(port)))).every(Boolean)

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = await once(socket, 'connect').then(() => true, () => false)
  socket.destroy()
  return connected
}
