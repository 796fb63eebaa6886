import { createInterface } from 'node:readline/promises'
import { usage } from '../lib/errors.ts'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'

/** What somebody wants who typed `n8n-tuned` and nothing else. */
export type Wish = 'here' | 'running' | 'plan' | 'curious'

/** The first question; the others depend on its answer. */
const wishes: { wish: Wish; says: string; asks: string[] }[] = [
  { wish: 'here', says: 'what my workflow can take on this machine', asks: ['workflow', 'rate'] },
  { wish: 'running', says: 'what an n8n that runs can take', asks: ['url', 'workflow'] },
  { wish: 'plan', says: 'which n8n a rate needs', asks: ['rate', 'workflow'] },
  { wish: 'curious', says: 'what n8n takes here, on its own defaults and tuned', asks: [] },
]

const questions: Record<string, string> = {
  workflow: 'Which workflow, as a file of n8n’s editor (Enter: a bundled one)? ',
  rate: 'How many requests a second (Enter: the most it can take)? ',
  url: 'At which address, such as https://n8n.example.com? ',
}

/** The words to run for the answers. */
export function wordsFor(wish: Wish, { workflow, rate, url }: Record<string, string>): string[] {
  const aimed = [...(workflow ? ['--workflow', workflow] : []), ...(rate ? ['--rate', rate] : [])]
  if (wish === 'curious') return ['compare', '--profile', 'capacity']
  if (wish === 'plan') return ['size', ...aimed, ...(rate ? [] : ['--rate', '30'])]
  if (wish === 'running' && !url)
    throw usage(
      'no-address',
      'Expected the address of the n8n that runs, got none.',
      `${typed.lab} check --target https://n8n.example.com`,
    )
  return ['check', ...(wish === 'running' ? ['--target', url!] : []), ...aimed]
}

/** Asks at most three questions on a terminal, and says the command that they make. */
export async function askFor(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string[]> {
  const terminal = createInterface({ input, output })
  // Ctrl-C ends the command as anywhere else.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  let open = true
  terminal.once('close', () => (open = false))
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    terminal.setPrompt(question)
    if (open) terminal.prompt()
    const { value, done } = await lines.next()
    if (done) throw usage('no-answer', 'Expected an answer, got the end of the input.', `${typed.lab} --help`)
    return value.trim()
  }
  try {
    output.write('What do you want to know?\n')
    for (const [index, { says }] of wishes.entries()) output.write(`  ${index + 1}  ${says}\n`)
    const { wish, asks } = wishes[Number(await ask('1 to 4 (Enter: 1): ')) - 1] ?? wishes[0]!
    const answers: Record<string, string> = {}
    for (const name of asks) answers[name] = await ask(questions[name]!)
    const words = wordsFor(wish, answers)
    output.write(`\n${typed.lab} ${words.map(shellWord).join(' ')}\n\n`)
    return words
  } finally {
    terminal.close()
  }
}
