import type { Nodes, Sentence } from 'nlcst'
import retextEnglish from 'retext-english'
import { unified } from 'unified'
import type { Passage } from './markdown.ts'

export interface ReadSentence {
  line: number
  text: string
  words: number
}

const english = unified().use(retextEnglish)

/** The sentences of a passage, with their words. */
export function sentencesOf({ line, text }: Passage): ReadSentence[] {
  const tree = english.parse(forParser(text))
  return all(tree, 'SentenceNode').map((sentence) => {
    const { start, end } = sentence.position!
    const read = text.slice(start.offset, end.offset).replaceAll(/\s+/g, ' ')
    return {
      line: line + start.line - 1,
      text: read,
      words: all(sentence, 'WordNode').length,
    }
  })
}

/**
 * The parser sees no new sentence before a small letter, and none after a digit or a single letter:
 * `… in 20 s. k6 reads …`. The text keeps its length.
 */
function forParser(text: string): string {
  const capital = text.replaceAll(/(?<=^|[.!?]\s+)\p{Ll}/gu, (letter) => letter.toUpperCase())
  return capital.replaceAll(/(?:\d|(?<!\p{L})\p{L})(?=\.\s+\p{Lu})/gu, '§')
}

function all(node: Nodes, type: 'SentenceNode' | 'WordNode'): Sentence[] {
  if (node.type === type) return [node as Sentence]
  return 'children' in node ? node.children.flatMap((child) => all(child, type)) : []
}
