import { execa } from 'execa'
import type { Network, OwnNetwork } from '../network.ts'

/**
 * Closes a network: rejects and counts every connection that begins inside and leaves over its link. Answers to
 * connections from outside may leave.
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
  // Without a route, there would be nothing to count.
  await inside(network, ['ip', 'route', 'add', 'default', 'via', outside, 'dev', name])
}

/** How many packets were rejected. */
export const turnedAway = async (network: Network): Promise<number> =>
  rejectedIn(await inside(network, ['iptables', '-w', '-nvxL', 'OUTPUT']))

export const rejectedIn = (listing: string): number => Number(/^\s*(\d+)\s+\d+\s+REJECT\b/m.exec(listing)?.[1] ?? 0)

async function inside(network: Network, argv: string[]): Promise<string> {
  const [command, ...args] = network.enter(argv)
  return (await execa(command!, args)).stdout
}
