import type { Unready } from '../model/fault.ts'
import type { RunningProcess } from '../targets/target.ts'

/** Asks each process every second whether it is ready. */
export function watchReadiness(processes: RunningProcess[], every = 1000): { stop(): Unready[] } {
  const seconds = new Map<string, number>()
  const asked = processes.filter(({ isReady }) => isReady)
  const timer = setInterval(() => {
    for (const { name, isReady } of asked) {
      const asked = isReady!().catch(() => false)
      void asked.then((ready) => ready || seconds.set(name, (seconds.get(name) ?? 0) + every / 1000))
    }
  }, every)
  return {
    stop() {
      clearInterval(timer)
      return [...seconds].map(([process, sum]) => ({ process, seconds: sum }))
    },
  }
}
