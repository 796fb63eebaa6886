import { cgroupV1 } from './cgroup-v1.ts'
import { cgroupV2 } from './cgroup-v2.ts'
import { cgroupLimiter } from './cgroup.ts'
import type { Limiter } from './limiter.ts'
import { systemdLimiter } from './systemd.ts'
import { unlimited } from './unlimited.ts'

/** The most direct way of limiting that this machine allows. */
export async function chooseLimiter(): Promise<Limiter> {
  const hierarchy = (await cgroupV2()) ?? (await cgroupV1())
  return hierarchy ? cgroupLimiter(hierarchy) : ((await systemdLimiter()) ?? unlimited)
}
