/** CPU time of this process: its sum in seconds, and the busiest second in cores. */
export interface Cpu {
  seconds: number
  peak: number
}

export function openMeter(): { read(): Cpu } {
  let peak = 0
  let before = { at: performance.now(), used: used() }
  setInterval(() => {
    const now = { at: performance.now(), used: used() }
    peak = Math.max(peak, ((now.used - before.used) * 1000) / (now.at - before.at))
    before = now
  }, 1000).unref()
  return { read: () => ({ seconds: used(), peak }) }
}

function used(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
