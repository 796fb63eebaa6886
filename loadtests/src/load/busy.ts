/** CPU seconds that the generator had used at a moment. */
export interface Look {
  at: number
  seconds: number
}

/**
 * Share of its cores that the generator used between two moments; null without two looks. Making its clients before the
 * load, and waiting for the last answers after it, would lower the share.
 */
export function busyShare(looks: Look[], from: number, to: number, cores: number): number | null {
  const within = looks.filter(({ at }) => at >= from && at <= to)
  return shareOf(within[0], within.at(-1), cores)
}

function shareOf(first: Look | undefined, last: Look | undefined, cores: number): number | null {
  if (!first || !last || first === last) return null
  return (last.seconds - first.seconds) / ((last.at - first.at) / 1000) / cores
}
