import type { Limit } from '../../../model/result.ts'
import type { Throttling } from '../../../n8n/running.ts'

/** How CPU and memory limits are enforced on this machine. */
export interface Limiter {
  /** For the record: `cgroup v1`, `cgroup v2`, `systemd` or `not enforced`. */
  kind: string
  enforced: boolean
  box(name: string, limits: Limit): Promise<Box>
  /** Ends what an earlier run left behind, if the process of that run is gone. */
  sweep(): Promise<void>
  /** Removes what this process made outside its boxes. */
  close(): Promise<void>
}

/** The limits around one container. They stay over the container's restarts. */
export interface Box {
  /** The command that starts `argv` inside the box. */
  wrap(argv: string[]): string[]
  /** Null if the system does not say. */
  pids(): Promise<number[] | null>
  cpuSeconds(): Promise<number | null>
  oomKills(): Promise<number>
  /** The most bytes that the kernel ever charged to it; absent or null if the kernel does not say. */
  memoryPeak?(): Promise<number | null>
  /** Absent or null where the system does not say. */
  throttling?(): Promise<Throttling | null>
  /** Ends everything inside, where it is not enough to end the processes. */
  end?(): Promise<void>
  /** Ends everything inside and removes the box. */
  remove(): Promise<void>
}
