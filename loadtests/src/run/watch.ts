import { failProcess, type Fail } from '../lib/fail.ts'
import { repeat } from '../lib/repeat.ts'

/**
 * Looks about once a second, and tells how long a look took, in milliseconds. One that fails is left out: whoever asks
 * through `outages` tells of it. Returns what ends that.
 */
export function watch<Look>(
  look: () => Promise<Look>,
  onLook: (look: Look, at: number, took: number) => void,
  every = 1000,
  fail: Fail = failProcess,
): () => void {
  let stopped = false
  const end = repeat(
    async () => {
      const asked = performance.now()
      const answer = await look().catch(() => null)
      if (answer !== null && !stopped) onLook(answer, Date.now(), performance.now() - asked)
    },
    every,
    fail,
  )
  return () => {
    stopped = true
    end()
  }
}
