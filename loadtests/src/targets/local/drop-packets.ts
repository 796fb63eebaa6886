import { execa } from 'execa'
import { faultErrors } from '../../fault/fault-errors.ts'
import { machineNetwork, type Network } from './network.ts'
import type { Pod } from './pod.ts'

/** How many of the packets a lossy network drops. TCP sends each again, and its receiver waits. */
const lossy = ['-m', 'statistic', '--mode', 'random', '--probability', '0.1']

/**
 * Drops all packets between n8n and the pods, or some, as a network does that fails without a word: no connection is
 * refused or ended. The lab’s own connections come over the link, and stay. The rules are those of the plan’s own
 * network, and go with it if the lab is killed. Returns a function that lets packets through again.
 */
export async function dropPackets(pods: Pod[], how: 'cut-off' | 'lossy'): Promise<() => Promise<void>> {
  const chosen = how === 'lossy' ? lossy : []
  const rules = pods.flatMap(({ network, ports }) => {
    if (network === machineNetwork) throw faultErrors.needsOwnNetwork()
    return [...ports.values()].flatMap((port) => droppingAt(port, chosen).map((rule) => ({ network, rule })))
  })
  const tell = async (action: '-I' | '-D') => {
    for (const { network, rule } of rules) await iptables(network, [action, 'INPUT', ...rule])
  }
  await tell('-I')
  return () => tell('-D')
}

const droppingAt = (port: number, chosen: string[]): string[][] =>
  ['--dport', '--sport'].map((side) => ['-i', 'lo', '-p', 'tcp', side, String(port), ...chosen, '-j', 'DROP'])

async function iptables({ enter }: Network, args: string[]): Promise<void> {
  const [command, ...words] = enter(['iptables', '-w', ...args])
  await execa(command!, words)
}
