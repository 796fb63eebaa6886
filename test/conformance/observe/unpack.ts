import { parse } from 'flatted'

/** What n8n packs an execution's data into, else JSON, else the text itself. */
export function unpackData(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('[')) return unpackJson(value)
  try {
    return withoutCircles(parse(value))
  } catch {
    return unpackJson(value)
  }
}

export function unpackJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function withoutCircles(value: unknown, above: unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '(circle)'
  const inner = [...above, value]
  if (Array.isArray(value)) return value.map((one) => withoutCircles(one, inner))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutCircles(one, inner)]))
}
