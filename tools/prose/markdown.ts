import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/** A run of text that is read in one piece: a paragraph, a heading or the cell of a table. */
export interface Passage {
  line: number
  text: string
}

/** Code reads as one word. */
const CODE = 'Code'
const generated = /<!-- evidence: [^]*?<!-- end of evidence -->/g
const parser = unified().use(remarkParse).use(remarkGfm)

/** What a reader reads of a page, without code, addresses and generated tables. */
export function passages(page: string): Passage[] {
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, '')
  const found: Passage[] = []
  collect(parser.parse(page.replaceAll(generated, blank)), found)
  return found
}

function collect(node: Nodes, found: Passage[]): void {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    found.push({ line: node.position!.start.line, text: textOf(node).trim() })
  } else if ('children' in node) {
    for (const child of node.children) collect(child, found)
  }
}

function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value
    case 'inlineCode':
      return CODE
    case 'break':
      return '\n'
    case 'image':
      return ''
    default:
      return 'children' in node ? node.children.map(textOf).join('') : ''
  }
}
