import { execFileSync } from 'node:child_process'
import { commandLine } from '../../../loadtests/src/secret/arguments.ts'

it('reads as it was typed', () => {
  expect(commandLine(['check', '--set', 'main.replicas=2', '--quick'])).toBe(
    'n8n-tuned check --set main.replicas=2 --quick',
  )
})

it.each(['a b', '{"order":1}', "it's", '$HOME', 'a;b', '', 'x*'])('gives a shell the same argument: %j', (given) => {
  const line = commandLine(['check', '--header', given]).replace(/^n8n-tuned check --header /, '')
  expect(execFileSync('sh', ['-c', `printf %s ${line}`], { encoding: 'utf8' })).toBe(given)
})

it('leaves out a secret', () => {
  expect(commandLine(['check', '--set', 'database.password.value=a b'])).not.toContain('a b')
})
