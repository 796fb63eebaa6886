import { cgroupLimiter } from './cgroup.ts'
import { cgroupV1, cgroupV2 } from './hierarchies.ts'
import type { Limiter } from './limiter.ts'
import { systemdLimiter } from './systemd.ts'

/** The most direct way of limiting that this machine allows. */
export async function chooseLimiter(): Promise<Limiter> {
  const hierarchy = (await cgroupV2()) ?? (await cgroupV1())
  return hierarchy ? cgroupLimiter(hierarchy) : ((await systemdLimiter()) ?? unlimited)
}

/** The last resort. Runs without limits are marked, because their figures show the machine and not the limit. */
export const unlimited: Limiter = {
  kind: 'not enforced',
  enforced: false,
  async box() {
    return {
      wrap: (argv) => argv,
      pids: async () => null,
      cpuSeconds: async () => null,
      oomKills: async () => 0,
      async remove() {},
    }
  },
  async sweep() {},
  async close() {},
}
