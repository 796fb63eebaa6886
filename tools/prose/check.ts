import { read } from './read.ts'
import { sentencesOf, type ReadSentence } from './sentences.ts'

export interface Rules {
  files: string[]
  without: string[]
  wordsInASentence: number
  /** Pattern → what to write instead. */
  terms: Record<string, string>
}

export interface Finding {
  file: string
  line: number
  problem: string
}

/** What the rules find in one file. */
export function check(file: string, content: string, rules: Rules): Finding[] {
  const sentences = read(file, content).flatMap(sentencesOf)
  const problems = [...tooLong(sentences, rules), ...worded(sentences, rules.terms)]
  return problems.map(([{ line }, problem]) => ({ file, line, problem }))
}

type Problem = [ReadSentence, string]

function tooLong(read: ReadSentence[], { wordsInASentence }: Rules): Problem[] {
  const long = read.filter(({ words }) => words > wordsInASentence)
  return long.map((sentence) => [
    sentence,
    `Expected at most ${wordsInASentence} words in a sentence, got ${sentence.words}: ${sentence.text}`,
  ])
}

function worded(read: ReadSentence[], phrases: Record<string, string>): Problem[] {
  return Object.entries(phrases).flatMap(([pattern, say]) => {
    const phrase = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`)
    const said = read.filter(({ text }) => phrase.test(text))
    return said.map((sentence): Problem => [
      sentence,
      `Expected "${say}", got "${sentence.text.match(phrase)![0]}": ${sentence.text}`,
    ])
  })
}
