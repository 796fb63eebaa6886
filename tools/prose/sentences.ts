import type { Nodes, Sentence } from 'nlcst'
import retextEnglish from 'retext-english'
import retextPassive from 'retext-passive'
import { unified } from 'unified'
import { VFile } from 'vfile'
import type { Passage } from './markdown.ts'

export interface ReadSentence {
  line: number
  text: string
  words: number
  passive: boolean
}

/** The plugin knows irregular participles alone. */
const regularPassive = /\b(?:am|are|is|was|were|be|been|being)\s+(?:(?:not|never|also|then|only|\w+ly)\s+)?\w+ed\b/i

const english = unified().use(retextEnglish).use(retextPassive)

/** The sentences of a passage, how many words each has, and which are passive. */
export function sentencesOf({ line, text }: Passage): ReadSentence[] {
  const file = new VFile(forParser(text))
  const tree = english.parse(file)
  english.runSync(tree, file)
  const passives = file.messages.map(({ place }) => place && ('start' in place ? place.start.offset : place.offset))
  return all(tree, 'SentenceNode').map((sentence) => {
    const { start, end } = sentence.position!
    const read = text.slice(start.offset, end.offset).replaceAll(/\s+/g, ' ')
    const irregular = passives.some((offset) => offset! >= start.offset! && offset! < end.offset!)
    return {
      line: line + start.line - 1,
      text: read,
      words: all(sentence, 'WordNode').length,
      passive: irregular || regularPassive.test(read),
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
