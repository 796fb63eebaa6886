import { execa } from 'execa'
import type { Network } from '../network.ts'
import type { Front } from './front.ts'

/** Addresses that RFC 2544 reserves for measurements between two networks, four for each pair of ends. */
const pairs = 2 ** 15

export interface Link {
  name: string
  outside: string
  inside: string
}

export const networkIsUp = 'the network is up'

let links = 0

/** Reserved by this process while it lives. */
export function nextLink(owner = process.pid, number = links++): Link {
  const pair = (owner * 8 + (number % 8)) % pairs
  const address = (offset: number) => `198.${18 + (pair >> 14)}.${(pair >> 6) & 255}.${((pair & 63) << 2) + offset}`
  return { name: `tuned${pair}`, outside: address(1), inside: address(2) }
}

/**
 * A network that lives as long as a process is in it, with a link to the machine's network. A connection over the link
 * reaches the same port on its loopback. The machine's own rules stay as they are, and so do its disks: what is mounted
 * in there is seen in there.
 */
export function namespaceCommand({ name, outside, inside }: Link, machine: number): string[] {
  const script = [
    'set -e',
    `ip link add ${name} type veth peer name ${name}o netns ${machine}`,
    `ip addr add ${inside}/30 dev ${name}`,
    'ip link set lo up',
    `ip link set ${name} up`,
    `nsenter --net=/proc/${machine}/ns/net ip addr add ${outside}/30 dev ${name}o`,
    `nsenter --net=/proc/${machine}/ns/net ip link set ${name}o up`,
    `echo 1 > /proc/sys/net/ipv4/conf/${name}/route_localnet`,
    `iptables -w -t nat -A PREROUTING -i ${name} -p tcp -j DNAT --to-destination 127.0.0.1`,
    // PostgreSQL only accepts connections from loopback.
    'iptables -w -t nat -A INPUT -p tcp -d 127.0.0.1 -j SNAT --to-source 127.0.0.1',
    `echo ${networkIsUp}`,
    'exec sleep infinity',
  ]
  return ['unshare', '--net', '--mount', '/bin/sh', '-c', script.join('\n')]
}

export function namespaceNetwork({ inside }: Link, holder: number): Network {
  return { address: inside, enter: (argv) => ['nsenter', `--net=/proc/${holder}/ns/net`, ...argv] }
}

/**
 * A balancer without a process: the kernel gives each backend its share of the new connections, from outside and
 * inside.
 */
export function rulesFor({ port, backends }: Front): string[][] {
  return ['PREROUTING', 'OUTPUT'].flatMap((chain) =>
    // The first rule takes one in n of all connections, the next one in n - 1 of the rest. They are inserted, so they
    // come before the rules of the link.
    backends.map((backend, index) => [
      '-w',
      '-t',
      'nat',
      '-I',
      chain,
      String(index + 1),
      '-p',
      'tcp',
      '--dport',
      String(port),
      ...nth(backends.length - index),
      '-j',
      'DNAT',
      '--to-destination',
      `127.0.0.1:${backend}`,
    ]),
  )
}

const nth = (every: number) =>
  every === 1 ? [] : ['-m', 'statistic', '--mode', 'nth', '--every', String(every), '--packet', '0']

export async function addRules(fronts: Front[], { enter }: Network): Promise<void> {
  for (const rule of fronts.flatMap(rulesFor)) {
    const [command, ...args] = enter(['iptables', ...rule])
    await execa(command!, args)
  }
}
