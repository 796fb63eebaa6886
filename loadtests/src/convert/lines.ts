import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type Node, type Pair } from 'yaml'

/** The line of a key, also where an anchor (`<<: *shared`) repeats it; that of the nearest map around it if unknown. */
export function lineIn(document: Document, text: string, keys: (string | number)[]): number | null {
  const lines = new LineCounter()
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  lines.lineStarts.unshift(0)
  let node: unknown = document.contents
  let offset: number | undefined
  for (const key of keys) {
    const found = inside(document, node, key)
    if (!found) break
    offset = found.at ?? offset
    node = found.node
  }
  return offset === undefined ? null : lines.linePos(offset).line
}

interface Found {
  node: unknown
  at: number | undefined
}

function inside(document: Document, around: unknown, key: string | number): Found | undefined {
  const node = resolved(document, around)
  if (isSeq(node)) {
    const entry = node.items[Number(key)]
    return entry === undefined ? undefined : { node: entry, at: (entry as Node).range?.[0] }
  }
  if (!isMap(node)) return undefined
  const own = node.items.find((pair) => nameOf(pair) === String(key))
  if (own) return { node: own.value, at: (own.key as Node).range?.[0] }
  for (const pair of node.items.filter((item) => nameOf(item) === '<<')) {
    const merged = resolved(document, pair.value)
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const found = inside(document, source, key)
      if (found) return found
    }
  }
  return undefined
}

const nameOf = ({ key }: Pair) => (isScalar(key) ? String(key.source ?? key.value) : undefined)

const resolved = (document: Document, node: unknown) => (isAlias(node) ? node.resolve(document) : node)
