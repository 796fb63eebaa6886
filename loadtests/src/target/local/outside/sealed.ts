import { execa } from 'execa'
import type { Network } from '../network.ts'
import type { OwnNetwork } from '../own-network.ts'

/**
 * Leaves a network no way out: whatever would begin a connection over its link is turned away and counted. What came in
 * over the link may be answered.
 */
export async function seal({ network, link: { name, outside } }: OwnNetwork): Promise<void> {
  await inside(network, [
    'iptables',
    '-w',
    '-A',
    'OUTPUT',
    '-o',
    name,
    '-m',
    'conntrack',
    '--ctstate',
    'NEW',
    '-j',
    'REJECT',
  ])
  // Without a way there would be nothing to count.
  await inside(network, ['ip', 'route', 'add', 'default', 'via', outside, 'dev', name])
}

/** How many packets were turned away. */
export const turnedAway = async (network: Network): Promise<number> =>
  rejectedIn(await inside(network, ['iptables', '-w', '-nvxL', 'OUTPUT']))

export const rejectedIn = (listing: string): number => Number(/^\s*(\d+)\s+\d+\s+REJECT\b/m.exec(listing)?.[1] ?? 0)

async function inside(network: Network, argv: string[]): Promise<string> {
  const [command, ...args] = network.enter(argv)
  return (await execa(command!, args)).stdout
}
