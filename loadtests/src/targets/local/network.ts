import { fromKernel } from '../../lib/processes.ts'
import type { OutsideOrder } from '../../model/outside.ts'

/**
 * What a plan on this machine may reach. `closed`: its own loopback. `open`: the machine's network, where the user
 * asked for that. Of the machine's files both have programs alone.
 */
export type Reach = 'closed' | 'open'

/** What a plan may reach. What is allowed, or recorded, is asked for real. */
export const reachFor = (outside: OutsideOrder | null, open: boolean): Reach =>
  open || (outside && (outside.record !== null || outside.allow.length > 0)) ? 'open' : 'closed'

/** The network in which a plan's processes listen on loopback. */
export interface Network {
  /** The address of that loopback for the lab and the generator. */
  address: string
  /** Where n8n listens in it, so that the generator reaches it at that address. */
  listen: string
  /** The command that runs `argv` in it, for a program of the plan. */
  enter(argv: string[], cwd?: string): string[]
  /** The same for npm, which fetches what the values name from the machine's network. */
  enterToFetch(argv: string[], cwd?: string): string[]
  /** The same for a program of the lab's own, which sees the machine's files. */
  join(argv: string[]): string[]
  /** Leads these ports of the address to it. */
  open(ports: number[]): Promise<void>
  /** A process in it. */
  holder: number
}

const asItIs = (argv: string[]) => argv

/** The machine's own. */
export const machineNetwork: Network = {
  address: '127.0.0.1',
  listen: '127.0.0.1',
  enter: asItIs,
  enterToFetch: asItIs,
  join: asItIs,
  open: async () => {},
  holder: process.pid,
}

const listening = '0A'

/** Whether a server listens on each of the ports. A connection would not tell: the way into a network takes it. */
export function allListen({ holder }: Network, ports: number[]): boolean {
  const tables = ['tcp', 'tcp6'].map((table) => fromKernel(`/proc/${holder}/net/${table}`) ?? '').join('\n')
  const open = tables.split('\n').flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === listening ? [parseInt(local.split(':')[1]!, 16)] : []
  })
  return ports.every((port) => open.includes(port))
}

/** Packets that found no way out of the network, of both versions of IP; null where the kernel does not say. */
export function packetsWithoutRoute({ holder }: Network): number | null {
  const [four = '', six = ''] = ['snmp', 'snmp6'].map((table) => fromKernel(`/proc/${holder}/net/${table}`) ?? '')
  const [names = [], counts = []] = four
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
    .map((line) => line.split(' '))
  const at = names.indexOf('OutNoRoutes')
  if (at === -1) return null
  return Number(counts[at]) + Number(/^Ip6OutNoRoutes\s+(\d+)/m.exec(six)?.[1] ?? 0)
}
