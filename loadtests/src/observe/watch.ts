/**
 * Looks about once a second, and tells how long a look took, in milliseconds. One that fails is left out. Returns what
 * ends that.
 */
export function watch<Look>(
  look: () => Promise<Look>,
  onLook: (look: Look, at: number, took: number) => void,
  every = 1000,
): () => void {
  let stopped = false
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return // what is too busy for this look is seen by the next one
    looking = true
    const asked = performance.now()
    // A figure that is missing is told where it would have counted.
    const answer = await look().catch(() => null)
    looking = false
    if (answer !== null && !stopped) onLook(answer, Date.now(), performance.now() - asked)
  }, every)
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
