import ts from 'typescript'
import { passages, type Passage } from './markdown.ts'

/** The comments of TypeScript and JavaScript, and its messages: string literals that are sentences. */
export function sourcePassages(source: string, messages: boolean): Passage[] {
  const file = ts.createSourceFile('read.ts', source, ts.ScriptTarget.Latest, true)
  const lineOf = (offset: number): number => file.getLineAndCharacterOfPosition(offset).line + 1
  const read = [...commentsIn(source, file), ...(messages ? messagesIn(file) : [])]
  return read.flatMap(({ start, text }) =>
    passages(text.replace(usage, '')).map((one) => moved(one, lineOf(start) - 1)),
  )
}

interface Piece {
  start: number
  text: string
}

const moved = (passage: Passage, lines: number): Passage => ({ ...passage, line: passage.line + lines })

/** How to call a script is no sentence. */
const usage = /^ ?usage:[^]*$/m

/** Notes to a tool are no text: `eslint-disable-line`, `@ts-expect-error`. */
const forTools = /^\s*(?:eslint|prettier|shellcheck|@ts-|@jest|#|<reference)/

function commentsIn(source: string, file: ts.SourceFile): Piece[] {
  const ranges = new Map<number, ts.CommentRange>()
  const look = (node: ts.Node): void => {
    const found = [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ]
    for (const range of found) ranges.set(range.pos, range)
    // A JSDoc node is a comment already, and inside JSX or a template nothing is.
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) look(child)
  }
  look(file)
  return joined(
    source,
    [...ranges.values()].toSorted((a, b) => a.pos - b.pos),
  ).filter(({ text }) => !forTools.test(text))
}

/** Lines that follow each other with `//`, and have no code before it, are one comment. */
function joined(source: string, ranges: ts.CommentRange[]): Piece[] {
  const pieces: (Piece & { end: number; joins: boolean })[] = []
  for (const { pos, end } of ranges) {
    const raw = source.slice(pos, end)
    const line = raw.startsWith('//')
    const alone = /(?:^|\n)[ \t]*$/.test(source.slice(0, pos))
    const text = line
      ? raw.slice(2).trim()
      : raw
          .slice(0, -2)
          .replace(/^\/\*+/, '')
          .replaceAll(/^[ \t]*\*/gm, '')
          .replaceAll(/^[ \t]+/gm, '')
    const last = pieces.at(-1)
    if (line && last?.joins && /^\n[ \t]*$/.test(source.slice(last.end, pos))) {
      last.text += `\n${text}`
      last.end = end
    } else {
      pieces.push({ start: pos, end, joins: line && alone, text })
    }
  }
  return pieces
}

/** A sentence: a capital, five words or more, and a full stop. */
const isSentence = (text: string): boolean =>
  /^\p{Lu}/u.test(text) && /[.?!:]["”]?$/.test(text) && text.split(/\s+/).length > 4

function messagesIn(file: ts.SourceFile): Piece[] {
  const found: Piece[] = []
  const look = (node: ts.Node): void => {
    const text = textOf(node)
    if (text === null) return ts.forEachChild(node, look)
    if (!text.includes('\n') && isSentence(text.trim())) found.push({ start: node.getStart(file), text: text.trim() })
    for (const value of valuesOf(node)) look(value)
  }
  look(file)
  return found
}

/** The text of a literal, or of several that `+` puts together; a value in it reads as one word. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `Code${literal.text}`).join('')
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null && right === null ? null : (left ?? 'Code') + (right ?? 'Code')
}

/** What a literal is put together from, in which there may be other literals. */
function valuesOf(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression)
  if (!ts.isBinaryExpression(node)) return []
  return [node.left, node.right].flatMap((side) => (textOf(side) === null ? [side] : valuesOf(side)))
}
