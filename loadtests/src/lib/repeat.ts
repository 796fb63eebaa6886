import type { Fail } from './fail.ts'

/**
 * Does the work again and again, about once in `every` milliseconds. A turn that comes while the work still lasts is
 * left out. Returns what ends that.
 */
export function repeat(work: () => Promise<void>, every: number, fail: Fail): () => void {
  let stopped = false
  let busy = false
  const turn = async () => {
    busy = true
    try {
      await work()
    } catch (error) {
      if (!stopped) fail(error)
    } finally {
      busy = false
    }
  }
  const timer = setInterval(() => void (busy || turn()), every)
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
