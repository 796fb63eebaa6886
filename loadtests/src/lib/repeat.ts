/**
 * Receives an error from work that nobody waits for, such as a look every second. A run that is told one takes
 * everything down and ends with that error.
 */
export type Fail = (error: unknown) => void

/** Where there is no run to tell, the process ends with the error. */
export const failProcess: Fail = (error) => void Promise.reject(error)

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
