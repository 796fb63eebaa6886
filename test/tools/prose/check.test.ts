import { check, type Rules } from '../../../tools/prose/check.ts'

const rules: Rules = {
  files: [],
  without: [],
  wordsInASentence: 8,
  terms: { kubernetes: 'Kubernetes', 'give or take': '±' },
}
const problems = (content: string, file = 'page.md'): string[] =>
  check(file, content, rules).map(({ line, problem }) => `${line}: ${problem}`)
const nine = 'One two three four five six seven eight nine.'

test('finds a sentence that is too long, with its line', () => {
  expect(problems(`# Page\n\nShort.\n${nine}\n`)).toEqual([`4: Expected at most 8 words in a sentence, got 9: ${nine}`])
})

test('tells sentences apart that begin with a small letter, or follow a figure', () => {
  expect(problems('It takes exit code 4. n8n stops after 20 s. k6 goes on.')).toEqual([])
})

test('counts code as one word', () => {
  expect(problems('One two `three four five six` seven eight.')).toEqual([])
})

test('does not read code blocks, addresses of links and generated tables', () => {
  expect(
    problems(
      '```sh\ngive or take\n```\n\n[here](give-or-take)\n\n<!-- evidence: a b -->\n\ngive or take\n\n<!-- '
        + 'end of evidence -->\n',
    ),
  ).toEqual([])
})

test('reads the cells of tables and the items of lists', () => {
  expect(problems('| A |\n| --- |\n| 3, give or take 1 |\n\n- 4, give or take 2\n')).toEqual([
    '3: Expected "±", got "give or take": 3, give or take 1',
    '5: Expected "±", got "give or take": 4, give or take 2',
  ])
})

test('tells letter case apart', () => {
  expect(problems('Give or take.\n\nOn Kubernetes.\n\nOn kubernetes.\n')).toEqual([
    '5: Expected "Kubernetes", got "kubernetes": On kubernetes.',
  ])
})

test('reads the comments of YAML, each for itself', () => {
  const yaml =
    'a:\n  # -- One two three four five.\n  b: 1\n  # -- Six seven\n  # eight nine, give or take ten.\n  c: 2\n'
  expect(problems(yaml, 'values.yaml')).toEqual([
    '4: Expected "±", got "give or take": Six seven eight nine, give or take ten.',
  ])
})
