import { read } from './read.ts'
import { sentencesOf, type ReadSentence } from './sentences.ts'

export interface Rules {
  files: string[]
  without: string[]
  wordsInASentence: number
  passive: string
  /** Pattern → what to write instead; letter case matters in terms alone. */
  avoid: Record<string, string>
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
  const problems = [
    ...tooLong(sentences, rules),
    ...worded(sentences, rules.avoid, 'i'),
    ...worded(sentences, rules.terms, ''),
    ...tooPassive(sentences, rules),
  ]
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

function worded(read: ReadSentence[], phrases: Record<string, string>, flags: string): Problem[] {
  return Object.entries(phrases).flatMap(([pattern, say]) => {
    const phrase = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, flags)
    const said = read.filter(({ text }) => phrase.test(text))
    return said.map((sentence): Problem => [
      sentence,
      `Expected "${say}", got "${sentence.text.match(phrase)![0]}": ${sentence.text}`,
    ])
  })
}

/** A page of a few sentences is too short for a share. */
function tooPassive(read: ReadSentence[], { passive }: Rules): Problem[] {
  const sentences = read.filter(({ words }) => words > 4)
  const found = sentences.filter((sentence) => sentence.passive)
  const share = found.length / sentences.length
  if (sentences.length < 20 || share <= Number.parseFloat(passive) / 100) return []
  const lines = found.map(({ line }) => line).join(', ')
  return [
    [
      found[0]!,
      `Expected at most ${passive} of the sentences to be passive, got ${(share * 100).toFixed(0)} %: lines ${lines}`,
    ],
  ]
}
