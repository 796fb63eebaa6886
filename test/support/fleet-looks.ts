import { fleetFrom, type FleetLook } from '../../loadtests/src/judge/fleet/measured.ts'
import type { Fleet } from '../../loadtests/src/model/fleet.ts'
import { simulate, type FleetSetup } from './simulated-fleet.ts'

/** A simulated fleet, measured as a run measures a real one. */

export function lookAt(setup: FleetSetup): FleetLook {
  const seen = simulate(setup)
  const part = (processes: number, used: number, cpu: number, memory: number) => ({
    processes,
    used,
    least: setup.idle,
    cpu,
    memory: memory * 2 ** 20,
    peak: memory * 0.6 * 2 ** 20,
    threads: 1,
    connections: 5,
  })
  return {
    seconds: seen.seconds,
    rate: seen.rate,
    heap: null,
    crowded: false,
    latency: seen.latency,
    ran: seen.ran,
    parts: {
      webhook: part(setup.processors, seen.used.webhook, setup.cores.webhook, 768),
      worker: part(setup.workers, seen.used.worker, setup.cores.worker, 1024),
      redis: part(1, seen.used.redis, 1, 256),
      postgresql: part(1, seen.used.postgresql, setup.cores.postgresql, 512),
    },
    stores: { transactions: null, written: null, kept: null, commands: null, busy: null },
  }
}

/** One and two workers, at three rates each. */
export function measured(setup: Omit<FleetSetup, 'rate' | 'workers' | 'processors'>): Fleet {
  const full = mostOf(setup)
  const looks = [1, 2].flatMap((workers) =>
    [0.3, 0.5, 0.7].map((share, nth) =>
      lookAt({
        ...setup,
        seed: setup.seed * 10 + workers * 3 + nth,
        rate: share * workers * full,
        workers,
        processors: Math.max(1, Math.ceil((workers * full * setup.demands.webhook) / (0.6 * setup.cores.webhook))),
      }),
    ),
  )
  return fleetFrom(looks, { slots: setup.slots, outside: null })!
}

/** About what one worker does, by its CPU and by its slots. */
export function mostOf({ cores, idle, demands, slots, held }: Omit<FleetSetup, 'rate' | 'workers' | 'processors'>) {
  const service = demands.worker / (cores.worker - idle)
  return Math.min(1 / service, slots / (held + 2 * service))
}
