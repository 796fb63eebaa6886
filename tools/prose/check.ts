import { commentsOf } from './comments.ts'
import { passages } from './markdown.ts'
import { sentencesOf } from './sentences.ts'

export interface Phrase {
  words: string
  say: string
  /** Letter case matters. */
  exact?: boolean
  /** Files that may say it, such as one that lists former names. */
  except?: string
}

export interface Rules {
  files: string[]
  wordsInASentence: number
  passive: string
  avoid: Phrase[]
  terms: Phrase[]
}

export interface Finding {
  file: string
  line: number
  problem: string
}

/** What the rules find in one file. */
export function check(file: string, content: string, rules: Rules): Finding[] {
  const page = file.endsWith('.yaml') ? commentsOf(content) : content
  const read = passages(page).flatMap(sentencesOf)
  const at = (line: number, problem: string): Finding => ({ file, line, problem })
  const tooLong = read
    .filter(({ words }) => words > rules.wordsInASentence)
    .map(({ line, words, text }) => at(line, `Expected at most ${rules.wordsInASentence} words in a sentence, got ${words}: ${text}`))
  const phrases = [...rules.avoid, ...rules.terms].filter(({ except = '' }) => !except.split(' ').includes(file))
  const said = read.flatMap(({ line, text }) =>
    phrases.flatMap(({ words, say, exact }) => {
      const found = text.match(new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, exact ? '' : 'i'))
      return found ? [at(line, `Expected "${say}", got "${found[0]}": ${text}`)] : []
    }),
  )
  return [...tooLong, ...said, ...tooPassive(read, rules).map((problem) => at(1, problem))]
}

/** A page of a few sentences is too short for a share. */
function tooPassive(read: { passive: boolean; line: number; words: number }[], { passive }: Rules): string[] {
  const sentences = read.filter(({ words }) => words > 4)
  const lines = sentences.filter((sentence) => sentence.passive).map(({ line }) => line)
  const share = lines.length / sentences.length
  if (sentences.length < 20 || share <= Number.parseFloat(passive) / 100) return []
  return [`Expected at most ${passive} of the sentences to be passive, got ${(share * 100).toFixed(0)} %: lines ${lines.join(', ')}`]
}
