import { freePorts } from '../../lib/ports.ts'
import type { CpuProfile, ProcessProfile } from '../profile.ts'
import type { Usage } from '../target.ts'
import { openInspector } from './inspector.ts'

/** Lets n8n be looked into: a process opens its inspector only when asked, and until then runs as without it. */
export interface Profilable {
  /** The environment that tells n8n where to open its inspector when asked. */
  env(given: Record<string, string>): Record<string, string>
  /** Begins to profile it; returns a function that ends that and returns the profile. */
  begin(container: {
    leader(): number | undefined
    usage(): Promise<Pick<Usage, 'cpuSeconds'>>
  }): Promise<() => Promise<ProcessProfile>>
  /** Bytes in its heap after a full garbage collection: what it keeps. */
  keptHeap(leader: () => number | undefined): Promise<number>
}

/** Microseconds between two looks at the main thread. */
const looks = { interval: 1000 }

/** For a container in the network that the lab reaches at this address. */
export async function profilable(address: string): Promise<Profilable> {
  const [port] = (await freePorts(1)) as [number]
  const inspector = `${address}:${port}`
  return {
    env: (given) => ({ ...given, NODE_OPTIONS: `${given.NODE_OPTIONS ?? ''} --inspect-port=127.0.0.1:${port}`.trim() }),

    async begin({ leader, usage }) {
      const { ask, close } = await openInspector(leader()!, inspector)
      const look = async () => ({ at: performance.now(), counted: (await usage()).cpuSeconds ?? 0 })
      await ask('Profiler.enable')
      await ask('Profiler.setSamplingInterval', looks)
      await ask('Profiler.start')
      const before = await look()
      return async () => {
        const after = await look()
        const { profile } = await ask<{ profile: CpuProfile }>('Profiler.stop')
        close()
        return { elapsed: (after.at - before.at) / 1000, counted: after.counted - before.counted, cpu: profile }
      }
    },

    async keptHeap(leader) {
      const { ask, close } = await openInspector(leader()!, inspector)
      try {
        await ask('HeapProfiler.collectGarbage')
        const { usedSize } = await ask<{ usedSize: number }>('Runtime.getHeapUsage')
        return usedSize
      } finally {
        close()
      }
    },
  }
}
