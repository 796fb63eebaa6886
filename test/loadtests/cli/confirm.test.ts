import { PassThrough } from 'node:stream'
import { agree } from '../../../loadtests/src/cli/reach.ts'
import { refusalOf } from '../../support/refusal.ts'

const reached = [{ what: 'the n8n at https://n8n.example.com/', does: ['it is asked GET /webhook/a', 'for real'] }]
const list = '  the n8n at https://n8n.example.com/\n    - it is asked GET /webhook/a\n    - for real\n'

const stream = (isTTY: boolean) =>
  Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.ReadStream & NodeJS.WriteStream

/** Asked on a terminal, with this typed; what was shown. */
async function answering(words: string | null, yes?: true, isTTY = true): Promise<string> {
  const [input, output] = [stream(isTTY), stream(isTTY)]
  if (words === null) input.push(null)
  else input.write(`${words}\n`)
  await agree(reached, yes, { input, output })
  return String(output.read() ?? '')
}

test('on a terminal all of it is shown before the one question, which comes last', async () => {
  const shown = await answering('y')
  const first = `This run reaches what the lab did not start:\n${list}`
  expect(shown.startsWith(first)).toBe(true)
  // Beside what a terminal shows of the answer.
  expect(shown.slice(first.length)).toMatch(/^\S*Do all of this\? \[y\/N\] [^\n]*\n?$/)
  await answering('YES')
})

test.each(['', 'n', 'yesterday', null])('on a terminal %j is no leave', async (words) => {
  expect(await refusalOf(() => answering(words))).toMatchObject({ code: 'not-agreed', exit: 2 })
})

test('without a terminal it is refused with the same list, and who asks is told of --yes', async () => {
  expect(await refusalOf(() => answering('y', undefined, false))).toMatchObject({
    exit: 2,
    message: expect.stringContaining(list.trimEnd()),
    hint: expect.stringContaining('--yes'),
  })
})

test('--yes is leave without a question, and the list is shown all the same', async () => {
  expect(await answering('', true, false)).toBe(`This run reaches what the lab did not start:\n${list}`)
})

test('a run that reaches nothing is not asked about, and nothing is shown', async () => {
  const output = stream(true)
  await agree([], undefined, { input: stream(true), output })
  expect(output.read()).toBeNull()
})
