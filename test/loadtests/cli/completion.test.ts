import { execa } from 'execa'
import { completionFor } from '../../../loadtests/src/cli/completion.ts'
import { createProgram } from '../../../loadtests/src/program.ts'
import { write, temporaryFolder } from '../../support/temporary.ts'

const program = await createProgram(() => undefined)
const folder = temporaryFolder()

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const file = await write(folder, 'completion.bash', completionFor('bash', program))
  const asked = `COMP_WORDS=(n8n-tuned ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
  const { stdout } = await execa('bash', ['-c', `source ${file}; ${asked}; _n8n_tuned; echo "\${COMPREPLY[*]}"`])
  return stdout.split(' ').filter(Boolean)
}

test('in bash the first word is a verb', async () => {
  expect(await offered('')).toEqual(program.commands.map((verb) => verb.name()))
  expect(await offered('com')).toEqual(['compare', 'completion'])
})

test('in bash a verb has its own options, and an option its choices', async () => {
  expect(await offered('check', '--wo')).toEqual(['--workflow'])
  expect(await offered('list', '--wo')).toEqual([])
  expect(await offered('check', '--target', '')).toEqual(['local', 'kubernetes'])
  expect(await offered('check', '--arrivals', 'e')).toEqual(['even'])
})

test('in bash files are what is left', async () => {
  expect(await offered('check', '--workflow', '')).toEqual([])
  expect(completionFor('bash', program)).toContain('complete -o default')
})

test('in fish and zsh every verb and option is there', () => {
  const [fish, zsh] = [completionFor('fish', program), completionFor('zsh', program)]
  expect(zsh).toMatch(/^#compdef n8n-tuned\n/)
  for (const verb of program.commands) {
    expect(fish).toContain(`-a ${verb.name()} -d `)
    for (const { long } of verb.options) {
      expect(fish).toContain(`-l ${long!.slice(2)}`)
      expect(zsh).toContain(long!)
    }
  }
})
