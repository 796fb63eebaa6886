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
  return shareOf(within[0], within.at(-1), cores)
}

/** The same of its busiest second: one alone can make more answers late than the objective allows. */
export function busiestSecond(looks: Look[], from: number, to: number, cores: number): number | null {
  const within = looks.filter(({ at }) => at >= from && at <= to)
  const seconds = within.map((look, index) =>
    shareOf(
      look,
      within.slice(index).find(({ at }) => at >= look.at + 1000),
      cores,
    ),
  )
  return seconds.reduce((most, share) => (share !== null && share > (most ?? 0) ? share : most), null)
}

function shareOf(first: Look | undefined, last: Look | undefined, cores: number): number | null {
  if (!first || !last || first === last) return null
  return (last.seconds - first.seconds) / ((last.at - first.at) / 1000) / cores
}
