import { NotYaml, yamlDocument, yamlDocuments, yamlValue } from '../../../loadtests/src/lib/yaml.ts'

function problemOf(text: string, options?: Parameters<typeof yamlDocument>[1]): { line: number | null; says: string } {
  try {
    yamlDocument(text, options)
  } catch (error) {
    if (error instanceof NotYaml) return { line: error.line, says: error.message }
    throw error
  }
  throw new Error('Expected it to be refused.')
}

test('what it says, in one document or several', () => {
  expect(yamlValue('a: &x [1, b]\nc: *x\n')).toEqual({ a: [1, 'b'], c: [1, 'b'] })
  expect(yamlValue('')).toBeNull()
  expect(yamlDocuments('a: 1\n---\nb: 2\n').map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }])
})

test.each([
  ['a list', 'a: 1\nb: &x\n  - *x\n', 3],
  ['a map', 'a: &x {b: {c: *x}}\n', 1],
  ['a map that is merged into itself', 'a: &x\n  b: 1\n  <<: *x\n', 3],
  ['the whole file', '&x\na:\n  b: *x\n', 3],
])('an anchor that contains itself has its line: %s', (_, text, line) => {
  expect(problemOf(text, { merge: true })).toEqual({ line, says: expect.stringMatching(/alias of itself/) })
})

test('an anchor of the same name within is another', () => {
  expect(yamlValue('a: &x [&x 1, *x]')).toEqual({ a: [1, 1] })
})

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
const doublings = Array.from({ length: 34 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at}, *k${at}]`).join('\n')

test.each([
  ['lists that are deep', deep('[', ']', 500), /nested too deep/],
  ['lists that are deeper than the stack', deep('[', ']', 100_000), /nested too deep|call stack/],
  ['keys that are lists of keys', '? '.repeat(150), /as a key/],
  ['doublings', `k0: &k0 [a, b]\n${doublings}`, /alias/i],
  ['many aliases', `a: &x b\nc: [${'*x,'.repeat(5000)}]`, /aliases/],
  ['many lines', 'a:\n'.repeat(300_000), /more than \d+ lines/],
  ['many brackets', `[${'[],'.repeat(300_000)}]`, /more than \d+ lines/],
  ['a text that is repeated', `a: &x ${'y'.repeat(2 ** 20)}\nb: [${'*x,'.repeat(90)}]`, /MiB/],
  [
    'a key that is there twice among many',
    `${Array.from({ length: 50_000 }, (_, at) => `k${at}: v`).join('\n')}\nk0: w`,
    /unique/,
  ],
])('is refused, and soon: %s', (_, text, says) => {
  const begun = process.cpuUsage()
  expect(problemOf(text).says).toMatch(says)
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000)
})
