import type { Document, LineCounter } from 'yaml'

export type Path = readonly PropertyKey[]

/** The line of the deepest part of the path that exists in the file. */
export function lineOf(document: Document, lines: LineCounter, path: Path): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetOf(document, path.slice(0, depth))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return document.contents ? 1 : null
}

/** The position of the key itself, so that an error points at the key and not at the value below it. */
function offsetOf(document: Document, path: Path): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  const key = path.at(-1)
  const items = (parent as { items?: unknown[] } | null)?.items
  const pair = items?.find((item) => (item as { key?: { value?: unknown } }).key?.value === key) as
    { key: { range?: number[] } } | undefined
  if (pair) return pair.key.range?.[0]
  const node = document.getIn(path, true) as { range?: number[] } | undefined
  return node?.range?.[0]
}
