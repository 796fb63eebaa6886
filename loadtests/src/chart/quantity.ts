const suffixes: Record<string, number> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  m: 1e-3,
}

/** Kubernetes' way of writing amounts: `250m` → 0.25, `1Gi` → 1073741824. */
export function parseQuantity(text: string | number): number {
  const match = /^([0-9.]+(?:e[0-9]+)?)([A-Za-z]*)$/.exec(String(text))
  const scale = match && suffixes[match[2]!]
  if (!scale) throw new TypeError(`Expected a Kubernetes quantity, got ${JSON.stringify(text)}`)
  return Number(match[1]) * scale
}
