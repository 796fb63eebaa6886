/** A line over time, broken where nobody looked: an n8n that waits for its turn is hardly watched. */
export function brokenWhereUnseen(t: number[], v: (number | null)[]): { t: number[]; v: (number | null)[] } {
  const apart = t.slice(1).map((at, index) => at - t[index]!)
  const usual = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)] ?? 0
  const line: ReturnType<typeof brokenWhereUnseen> = { t: [], v: [] }
  t.forEach((at, index) => {
    const since = index === 0 ? 0 : apart[index - 1]!
    if (since > Math.max(leastPause, pause * usual)) {
      // At both ends: a chart draws on through the moments of other lines, as far as the next that is null.
      line.t.push(t[index - 1]! + usual / 2, at - usual / 2)
      line.v.push(null, null)
    }
    line.t.push(at)
    line.v.push(v[index]!)
  })
  return line
}

/** Seconds, and times the usual distance of two looks. A busy process may miss a few of them. */
const leastPause = 5
const pause = 4
