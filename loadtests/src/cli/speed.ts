import { measuredOn } from '../judge/fleet/kinds.ts'

/** As the bare server of a run counts for each request. */
const steps = 500_000
const milliseconds = 150

function countTo(): number {
  let count = 0
  for (let step = 0; step < steps; step++) count += step
  return count
}

/** How many times as fast as the machine of our evidence a core of this one is: by the best of many counts. */
export function speedHere(): number {
  let best = Infinity
  const until = performance.now() + milliseconds
  for (let now = performance.now(); now < until || best === Infinity;) {
    countTo()
    const after = performance.now()
    best = Math.min(best, after - now)
    now = after
  }
  return measuredOn.counts / best
}
