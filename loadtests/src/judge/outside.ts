import type { Call, OutsideCount } from '../model/outside.ts'

/** What all visits of one cell called outside n8n, added up. Waits are those of the visit with the most calls. */
export function together(visits: OutsideCount[], accepted: number): OutsideCount {
  const perRequest = perRequestOf(
    visits.flatMap(({ calls }) => calls),
    accepted,
  )
  const away = visits.map(({ turnedAway }) => turnedAway).filter((packets) => packets !== null)
  return {
    calls: joined(visits.flatMap(({ calls }) => calls)),
    cpu: {
      seconds: visits.reduce((sum, { cpu }) => sum + cpu.seconds, 0),
      peak: Math.max(...visits.map(({ cpu }) => cpu.peak)),
    },
    turnedAway: away.length > 0 ? away.reduce((sum, packets) => sum + packets, 0) : null,
    left: [...new Set(visits.flatMap(({ left }) => left))].sort(),
    ...(visits.some(({ policy }) => policy !== undefined) && { policy: visits.every(({ policy }) => policy) }),
    ...(perRequest && { perRequest }),
  }
}

/** How much of a request's time its services take. */
function perRequestOf(calls: Call[], accepted: number): OutsideCount['perRequest'] {
  if (accepted === 0 || calls.some(({ waited }) => waited.mean === undefined)) return undefined
  const sum = (of: (call: Call) => number) => calls.reduce((so, call) => so + of(call), 0)
  return {
    calls: sum(({ count }) => count) / accepted,
    waited: sum(({ count, waited }) => count * waited.mean!) / accepted,
  }
}

function joined(calls: Call[]): Call[] {
  const byKind = Map.groupBy(calls, ({ outcome, method, host, path }) => [outcome, method, host, path].join(' '))
  return [...byKind.values()]
    .map((same) => {
      const [most] = same.toSorted((a, b) => b.count - a.count) as [Call]
      return { ...most, count: same.reduce((sum, { count }) => sum + count, 0) }
    })
    .sort((a, b) => b.count - a.count)
}
