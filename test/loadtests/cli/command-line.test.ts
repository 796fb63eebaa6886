import { execFileSync } from 'node:child_process'
import { Command } from 'commander'
import { commandLine } from '../../../loadtests/src/cli/command-line.ts'

const recorded = async (...given: string[]) => {
  const check = new Command('check').allowExcessArguments().allowUnknownOption()
  const program = new Command().addCommand(check)
  check.action(() => undefined)
  await program.parseAsync(['node', 'n8n-tuned', 'check', ...given])
  return commandLine(check)
}

it('reads as it was typed', async () => {
  expect(await recorded('--set', 'main.replicas=2', '--quick')).toBe('n8n-tuned check --set main.replicas=2 --quick')
})

it.each(['a b', '{"order":1}', "it's", '$HOME', 'a;b', '', 'x*'])(
  'gives a shell the same argument: %j',
  async (given) => {
    const line = (await recorded('--header', given)).replace(/^n8n-tuned check --header /, '')
    expect(execFileSync('sh', ['-c', `printf %s ${line}`], { encoding: 'utf8' })).toBe(given)
  },
)

it('leaves out a secret', async () => {
  expect(await recorded('--set', 'database.password.value=a b')).not.toContain('a b')
})
