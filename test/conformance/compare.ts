/** Two values that should be the same, and every place where they are not. Pure. */
export interface Difference {
  path: string
  left: unknown
  right: unknown
}

export const MISSING = '(nothing)'

export function compare(left: unknown, right: unknown, path = ''): Difference[] {
  if (Object.is(left, right)) return []
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right, path)
  if (!isObject(left) || !isObject(right)) return [{ path, left, right }]
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.flatMap((name) => {
    const inner = path ? `${path}.${name}` : name
    if (!Object.hasOwn(left, name)) return [{ path: inner, left: MISSING, right: right[name] }]
    if (!Object.hasOwn(right, name)) return [{ path: inner, left: left[name], right: MISSING }]
    return compare(left[name], right[name], inner)
  })
}

/** Names what one list lacks, instead of everything after it. */
function compareLists(left: unknown[], right: unknown[], path: string): Difference[] {
  if (left.length === right.length) return left.flatMap((one, index) => compare(one, right[index], `${path}[${index}]`))
  const onlyLeft = without(left, right)
  const onlyRight = without(right, left)
  return [
    ...onlyLeft.map(([index, one]) => ({ path: `${path}[${index}]`, left: one, right: MISSING })),
    ...onlyRight.map(([index, one]) => ({ path: `${path}[${index}]`, left: MISSING, right: one })),
  ]
}

function without(list: unknown[], other: unknown[]): [number, unknown][] {
  const spare = other.map((one) => JSON.stringify(one))
  return [...list.entries()].filter(([, one]) => {
    const found = spare.indexOf(JSON.stringify(one))
    if (found >= 0) spare.splice(found, 1)
    return found < 0
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As a test's message shows them. */
export function describeDifferences(differences: Difference[]): string {
  const short = (value: unknown) => JSON.stringify(value)?.slice(0, 600)
  return differences
    .map(({ path, left, right }) => `${path}\n  plain:   ${short(left)}\n  patched: ${short(right)}`)
    .join('\n')
}
