import { PassThrough } from 'node:stream'
import { execa } from 'execa'
import { askFor, wordsFor } from '../../../loadtests/src/cli/ask.ts'
import { root } from '../../support/command.ts'

/** The words that these answers make, and what was shown. */
async function answering(...lines: string[]): Promise<{ words: string[]; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (text: Buffer) => {
    shown += String(text)
    // The next answer is typed when the next question is there.
    if (String(text).endsWith(': ') || String(text).endsWith('? ')) input.write(`${lines.shift() ?? ''}\n`)
  })
  const words = await askFor(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream)
  return { words, shown }
}

test('three questions make a command, which is shown', async () => {
  const { words, shown } = await answering('1', 'exported.json', '50')
  expect(words).toEqual(['check', '--workflow', 'exported.json', '--rate', '50'])
  expect(shown).toContain('\n./n8n-tuned check --workflow exported.json --rate 50\n')
})

test('Enter alone checks what a bundled workflow can take', async () => {
  expect((await answering('', '', '')).words).toEqual(['check'])
})

test.each([
  ['running' as const, { url: 'https://n8n.example.com' }, 'check --target https://n8n.example.com'],
  ['plan' as const, { rate: '20' }, 'size --rate 20'],
  ['plan' as const, {}, 'size --rate 30'],
  ['curious' as const, {}, 'compare --profile capacity'],
])('who wants %s with %j gets %s', (wish, answers, words) => {
  expect(wordsFor(wish, answers).join(' ')).toBe(words)
})

test('an n8n that runs is not taken for this machine: it needs an address', () => {
  expect(() => wordsFor('running', { url: '' })).toThrow(expect.objectContaining({ code: 'no-address', exit: 2 }))
})

test('the command that is shown can be typed as it stands', async () => {
  expect((await answering('1', 'my workflow.json', '')).shown).toContain("check --workflow 'my workflow.json'\n")
})

test('an input that ends starts nothing', async () => {
  const input = new PassThrough()
  input.end()
  const output = new PassThrough().resume() as unknown as NodeJS.WriteStream
  const asked = askFor(input as unknown as NodeJS.ReadStream, output)
  await expect(asked).rejects.toMatchObject({ code: 'no-answer', exit: 2 })
})

test('on a terminal the command without words asks, and starts what was answered', async () => {
  const lab = `'${root}/node_modules/.bin/node' '${root}/loadtests/src/main.ts'`
  // A file that is not there, so nothing starts.
  const { stdout, exitCode } = await execa('script', ['--quiet', '--return', '--command', lab, '/dev/null'], {
    input: '1\nnowhere.json\n5\n',
    reject: false,
  })
  expect(stdout).toContain('What do you want to know?')
  expect(stdout).toContain('nowhere.json')
  expect(exitCode).toBe(2)
}, 60_000)
