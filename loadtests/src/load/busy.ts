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

/** The same for its busiest second, because one busy second can make more answers late than the objective allows. */
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
