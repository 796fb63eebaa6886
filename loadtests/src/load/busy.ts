/** The generator's CPU seconds until a moment. */
export interface Look {
  at: number
  seconds: number
}

/**
 * Share of its cores that the generator used between two moments, null where it was not looked at twice. What it does
 * before the load, making its clients, and after it, waiting for the last answers, would hide how busy it was between.
 */
export function busyShare(looks: Look[], from: number, to: number, cores: number): number | null {
  const within = looks.filter(({ at }) => at >= from && at <= to)
  const [first, last] = [within[0], within.at(-1)]
  if (!first || !last || first === last) return null
  return (last.seconds - first.seconds) / ((last.at - first.at) / 1000) / cores
}
