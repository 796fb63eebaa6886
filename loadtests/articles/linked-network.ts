import { invalid, usage } from '../src/lib/errors.ts'
import { begun, startBeside } from '../src/targets/local/beside.ts'
import type { Post } from '../src/targets/local/machine.ts'
import { machineNetwork, type Network } from '../src/targets/local/network.ts'
import { findProgram } from '../src/targets/local/programs.ts'
import type { RunningProcess } from '../src/n8n/running.ts'

/** A network with a link to the machine's. */
export interface LinkedNetwork {
  network: Network
  link: Link
  /** What keeps it. */
  holding: RunningProcess
}

/** Two ends, one in each network. */
export interface Link {
  name: string
  outside: string
  inside: string
}

const programs = ['unshare', 'nsenter', 'ip', 'iptables']

/** `what` needs it. */
export async function openLinkedNetwork(name: string, what: string, post: Post): Promise<LinkedNetwork> {
  if (process.getuid?.() !== 0)
    throw usage(
      'needs-root',
      `Expected to be root for ${what}, which makes a network of its own, got another user.`,
      'Run it as root.',
    )
  for (const program of programs) await findProgram(program, what)
  const link = nextLink()
  const beside = await startBeside(name, namespaceCommand(link, process.pid), {}, post)
  await begun(
    beside,
    async () => beside.said(networkIsUp),
    post,
    (log) =>
      invalid(
        'network-failed',
        `Expected this machine to make a network of its own for ${what}, but it did not.`,
        'The last lines of its log say why.',
        log,
      ),
  )
  const [holder] = (await beside.container.pids()) as [number]
  const enter = (argv: string[]) => ['nsenter', `--net=/proc/${holder}/ns/net`, ...argv]
  const network = { ...machineNetwork, address: link.inside, enter, join: enter, holder }
  return { network, link, holding: beside.process }
}

/** Addresses that RFC 2544 reserves for measurements between two networks, four for each pair of ends. */
const pairs = 2 ** 15
let links = 0

/** Reserved by this process while it lives. */
export function nextLink(owner = process.pid, number = links++): Link {
  const pair = (owner * 8 + (number % 8)) % pairs
  const address = (offset: number) => `198.${18 + (pair >> 14)}.${(pair >> 6) & 255}.${((pair & 63) << 2) + offset}`
  return { name: `tuned${pair}`, outside: address(1), inside: address(2) }
}

const networkIsUp = 'the network is up'

/**
 * A network that lives as long as a process is in it, with a link to the machine's network. A connection over the link
 * reaches the same port on its loopback. The machine's own rules stay as they are, and so do its disks: what is mounted
 * in there is seen in there.
 */
function namespaceCommand({ name, outside, inside }: Link, machine: number): string[] {
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
