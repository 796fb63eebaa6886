/** A line over time, broken where nobody looked: an n8n that waits for its turn is hardly watched. */
export function brokenWhereUnseen(t: number[], v: (number | null)[]): { t: number[]; v: (number | null)[] } {
  const apart = t.slice(1).map((at, index) => at - t[index]!)
  const usual = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)] ?? 0
  const line: ReturnType<typeof brokenWhereUnseen> = { t: [], v: [] }
  t.forEach((at, index) => {
    const since = index === 0 ? 0 : apart[index - 1]!
    if (since > Math.max(leastPause, pause * usual)) {
      line.t.push(at - since / 2)
      line.v.push(null)
    }
    line.t.push(at)
    line.v.push(v[index]!)
  })
  return line
}

/** Seconds, and times the usual distance of two looks. A busy process may miss a few of them. */
const leastPause = 5
const pause = 4
