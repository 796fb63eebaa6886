/** What is known by name, to be asked for names of others: `toString` and `__proto__` are none of them. */
export const byName = <Value>(known: Record<string, Value>): Record<string, Value> =>
  Object.assign(Object.create(null) as Record<string, Value>, known)

/** What stands where others write a list of things; none where it is something else. */
export const listIn = <Element>(value: Element[] | null | undefined): NonNullable<Element>[] =>
  Array.isArray(value) ? value.filter((one) => one !== null && one !== undefined) : []

/** Nothing that people write is nested so deep, and what walks through it calls itself for each level. */
const deepest = 300

/** JSON of others. Throws as JSON.parse does, also where it is nested so deep that reading it on would fail. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`JSON that is nested deeper than ${deepest} levels`)
  return JSON.parse(text) as unknown
}

/** The same; undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const [quote, backslash] = [34, 92]
const opening = new Set([91, 123])
const closing = new Set([93, 125])

function isDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) quoted = !quoted
    else if (quoted) {
      if (code === backslash) at++
    } else if (opening.has(code)) {
      if (++depth > deepest) return true
    } else if (closing.has(code)) depth--
  }
  return false
}
