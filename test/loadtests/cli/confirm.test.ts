import { PassThrough } from 'node:stream'
import { confirmLoad } from '../../../loadtests/src/cli/confirm.ts'
import { refusalOf } from '../../support/refusal.ts'

const terminal = (isTTY: boolean) =>
  Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.ReadStream & NodeJS.WriteStream

/** Asked on a terminal, with this typed; what was shown. */
async function answering(words: string, yes?: true): Promise<string> {
  const [input, output] = [terminal(true), terminal(true)]
  input.write(`${words}\n`)
  await confirmLoad('https://n8n.example.com/', yes, { input, output })
  return String(output.read() ?? '')
}

test('on a terminal it is asked what to load, and y is leave', async () => {
  expect(await answering('y')).toContain('Load https://n8n.example.com/, which is not on this machine? [y/N]')
  await answering('YES')
})

test.each(['', 'n', 'yesterday'])('on a terminal %j is no leave', async (words) => {
  expect(await refusalOf(() => answering(words))).toMatchObject({ code: 'not-local', exit: 2 })
})

test('without a terminal it is refused, and who asks is told of --yes', async () => {
  const refusal = await refusalOf(() =>
    confirmLoad('https://n8n.example.com/', undefined, { input: terminal(false), output: terminal(true) }),
  )
  expect(refusal).toMatchObject({ exit: 2, hint: expect.stringContaining('--yes') })
})

test('--yes is leave without a question', async () => {
  expect(await answering('', true)).toBe('')
  await confirmLoad('https://n8n.example.com/', true, { input: terminal(false), output: terminal(false) })
})
