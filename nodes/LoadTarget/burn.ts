/** Some kernels update a thread's CPU time only with their timer; its slowest usual period is 4 ms. */
const TICK = 4

/** Counts up to `n` and returns it, so that the compiler cannot remove the loop. */
export function count(n: number): number {
  let i = 0
  while (i < n) i++
  return i
}

/**
 * Keeps this thread busy for `ms` of its own CPU time and returns the time it used.
 *
 * No clock alone tells it: a thread's may stand still for a tick, the process's counts its other threads,
 * the wall's counts the time others had this core. So each short slice counts as the lesser of
 * the last two, and the thread's clock, where Node has one, bounds the sum.
 */
export function burn(ms: number): number {
  const threadStart = threadMs()
  let sliced = 0
  let lastProcess = processMs()
  let lastWall = performance.now()

  for (;;) {
    const thread = threadStart === undefined ? Infinity : threadMs()! - threadStart + TICK
    const used = Math.min(sliced, thread)
    if (used >= ms) return used

    count(100_000)
    const processNow = processMs()
    const wallNow = performance.now()
    sliced += Math.min(processNow - lastProcess, wallNow - lastWall)
    lastProcess = processNow
    lastWall = wallNow
  }
}

const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
const processMs = () => sum(process.cpuUsage())
/** Available since Node 23.9. */
const threadMs = () => (process.threadCpuUsage ? sum(process.threadCpuUsage()) : undefined)
