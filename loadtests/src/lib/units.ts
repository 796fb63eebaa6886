/** `500ms`, `60s`, `2m` → milliseconds; undefined if it is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  if (!match) return undefined
  const scale = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2]!]!
  return Number(match[1]) * scale
}

/** `0.1%` → 0.001, `0.05` → 0.05; undefined if it is no percentage. */
export function parseShare(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim())
  if (!match) return undefined
  const share = Number(match[1]) / (match[2] ? 100 : 1)
  return share <= 1 ? share : undefined
}
