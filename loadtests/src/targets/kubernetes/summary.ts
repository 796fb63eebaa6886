/** Pure: finds k6's summary in a log, even with other output before and after it on the same line. */
export function summaryIn(log: string): { summary: string | null; rest: string[] } {
  const lines = log.split('\n').filter(Boolean)
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!
    const found = line.slice(Math.max(0, line.indexOf('{"')), line.lastIndexOf('}') + 1)
    if (isSummary(found)) return { summary: found, rest: lines.filter((_, index) => index !== at) }
  }
  return { summary: null, rest: lines }
}

function isSummary(text: string): boolean {
  try {
    const { metrics, state } = JSON.parse(text)
    return metrics !== undefined && state !== undefined
  } catch {
    return false
  }
}
