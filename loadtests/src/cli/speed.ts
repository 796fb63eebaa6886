import { measuredOn } from '../judge/fleet/kinds.ts'

/** As the bare server of a run counts for each request. */
const steps = 500_000
const milliseconds = 150

function countTo(): number {
  let count = 0
  for (let step = 0; step < steps; step++) count += step
  return count
}

/** A process that gets less than this share of the time has its core not for itself. */
const alone = 0.9

/**
 * How many times as fast as the machine of our evidence a core of this one is: by the best of many counts. `shared`:
 * the share of the core that it got; null where it had it for itself.
 */
export function speedHere(): { speed: number; shared: number | null } {
  let best = Infinity
  const [began, before] = [performance.now(), process.cpuUsage()]
  const until = performance.now() + milliseconds
  for (let now = performance.now(); now < until || best === Infinity;) {
    countTo()
    const after = performance.now()
    best = Math.min(best, after - now)
    now = after
  }
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (performance.now() - began)
  return { speed: measuredOn.counts / best, shared: share < alone ? share : null }
}
