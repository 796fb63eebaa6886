import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { paths } from '../../../lib/paths.ts'
import type { RunningProcess } from '../../target.ts'
import { begun, startBeside, type Post as Besides } from '../beside.ts'
import { localErrors } from '../errors.ts'
import { findProgram } from '../images/programs.ts'
import { machineNetwork, type Network } from '../network.ts'
import { openOwnNetwork, type OwnNetwork } from '../own-network.ts'
import type { Front } from './front.ts'
import { addRules } from './namespace.ts'
import { layOutNginx } from './nginx.ts'

/** The balancer in front of a plan's replicas. */
export interface Balancer {
  /** The network that the replicas have to be in. */
  network: Network
  /** Runs the fronts in a process without limits, on the generator's cores. */
  balance(fronts: Front[]): Promise<RunningProcess[]>
}

export interface Post extends Besides {
  /** The plan's network, where it already has its own. */
  within?: OwnNetwork
}

export async function openBalancer(post: Post): Promise<Balancer> {
  const { balancer } = post.order
  if (balancer === 'iptables')
    return kernel(post.within ?? (await openOwnNetwork('balancer', 'the balancer iptables', post)))
  const network = post.within?.network ?? machineNetwork
  return {
    network,
    async balance(fronts) {
      const { argv, env } = balancer === 'nginx' ? await nginx(fronts, join(post.folder, 'nginx')) : node(fronts)
      const beside = await startBeside('balancer', network.enter(argv), env, post)
      await begun(
        beside,
        () => allReached(fronts, network),
        post,
        (log) => localErrors.balancerFailed(balancer, log),
      )
      return [beside.process]
    },
  }
}

async function nginx(fronts: Front[], folder: string) {
  const program = await findProgram('nginx', 'the balancer nginx')
  return { argv: [program, ...(await layOutNginx(fronts, folder, process.getuid?.() === 0))], env: {} }
}

const node = (fronts: Front[]) => ({
  argv: [process.execPath, '--no-warnings', paths.nodeBalancer],
  env: { FRONTS: JSON.stringify(fronts) },
})

/** The kernel balances; the process only keeps the network open. */
function kernel({ network, holding }: OwnNetwork): Balancer {
  return {
    network,
    async balance(fronts) {
      await addRules(fronts, network).catch((error: Error) => {
        throw localErrors.balancerFailed('iptables', error.message.split('\n'))
      })
      return [holding]
    },
  }
}

const allReached = async (fronts: Front[], { address }: Network) =>
  (await Promise.all(fronts.map(({ port }) => accepts(port, address)))).every(Boolean)

async function accepts(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host)
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
