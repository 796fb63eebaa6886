import { freePorts } from '../../../lib/ports.ts'
import type { ProcessProfile } from '../../profile.ts'
import type { Usage } from '../../target.ts'
import { keptHeapOf } from './kept-heap.ts'
import { profileProcess } from './profile.ts'

interface Profilable {
  /** The environment that tells n8n where to open its inspector when asked. */
  env(given: Record<string, string>): Record<string, string>
  begin(container: {
    leader(): number | undefined
    pids(): Promise<number[]>
    usage(): Promise<Usage>
  }): Promise<() => Promise<ProcessProfile>>
  keptHeap(leader: () => number | undefined): Promise<number>
}

/** For a container in the network that the lab reaches at this address. */
export async function profilable(address: string): Promise<Profilable> {
  const [port] = (await freePorts(1)) as [number]
  return {
    env: (given) => ({ ...given, NODE_OPTIONS: `${given.NODE_OPTIONS ?? ''} --inspect-port=127.0.0.1:${port}`.trim() }),
    begin: ({ leader, pids, usage }) =>
      profileProcess({
        pid: leader()!,
        inspector: `${address}:${port}`,
        pids,
        cpuSeconds: async () => (await usage()).cpuSeconds ?? 0,
      }),
    keptHeap: (leader) => keptHeapOf(leader()!, `${address}:${port}`),
  }
}
