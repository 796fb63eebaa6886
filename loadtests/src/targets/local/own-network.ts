import type { RunningProcess } from '../target.ts'
import { namespaceCommand, namespaceNetwork, networkIsUp, nextLink, type Link } from './balance/namespace.ts'
import { begun, startBeside, type Post } from './beside.ts'
import { localErrors } from './errors.ts'
import { findProgram } from './images/programs.ts'
import type { Network } from './network.ts'

/** A network other than the machine's. */
export interface OwnNetwork {
  network: Network
  link: Link
  /** The process whose network it is. */
  holder: number
  /** What keeps it. */
  holding: RunningProcess
}

const programs = ['unshare', 'nsenter', 'ip', 'iptables']

/** Whether this machine can make one for the user who runs the lab. */
export async function canOwnNetwork(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  return Promise.all(programs.map((program) => findProgram(program, 'a network of its own'))).then(
    () => true,
    () => false,
  )
}

export async function openOwnNetwork(name: string, what: string, post: Post): Promise<OwnNetwork> {
  if (process.getuid?.() !== 0) throw localErrors.needsRoot(what)
  for (const program of programs) await findProgram(program, what)
  const link = nextLink()
  const beside = await startBeside(name, namespaceCommand(link, process.pid), {}, post)
  await begun(
    beside,
    async () => beside.said(networkIsUp),
    post,
    (log) => localErrors.balancerFailed('iptables', log),
  )
  const [holder] = (await beside.container.pids()) as [number]
  return { network: namespaceNetwork(link, holder), link, holder, holding: beside.process }
}
