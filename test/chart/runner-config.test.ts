import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()

interface Runner {
  'runner-type': string
  command: string
  'allowed-env': string[]
  'env-overrides': Record<string, string>
}

const ofImage = {
  'task-runners': [
    {
      'runner-type': 'javascript',
      command: 'node',
      'allowed-env': ['PATH', 'NODE_OPTIONS'],
      'env-overrides': { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', NODE_PATH: '/image', HOST: '0.0.0.0' },
    },
    {
      'runner-type': 'python',
      command: 'python',
      'allowed-env': ['PATH'],
      'env-overrides': { N8N_RUNNERS_STDLIB_ALLOW: '' },
    },
  ],
}

/** The launcher's configuration, of the image's own and what the init container is told. */
async function configured(
  env: Record<string, string>,
  allow: { javascript?: object; python?: object } = {},
): Promise<Record<string, Runner>> {
  const [from, to] = [join(home, 'from.json'), join(home, 'to.json')]
  await writeFile(from, JSON.stringify(ofImage))
  const given = {
    ...env,
    ALLOW_JAVASCRIPT: JSON.stringify(allow.javascript ?? {}),
    ALLOW_PYTHON: JSON.stringify(allow.python ?? {}),
    HANDED_ON: env.HANDED_ON ?? '',
  }
  execFileSync(
    process.execPath,
    ['-e', await readFile(join(paths.chart, 'files/runner-config.js'), 'utf8'), from, to],
    { env: given },
  )
  const { 'task-runners': runners } = JSON.parse(await readFile(to, 'utf8')) as { 'task-runners': Runner[] }
  return Object.fromEntries(runners.map((runner) => [runner['runner-type'], runner]))
}

test('what code may import is of its own language, in place of what the image allows', async () => {
  const { javascript, python } = await configured(
    {},
    { javascript: { NODE_FUNCTION_ALLOW_BUILTIN: 'url' }, python: { N8N_RUNNERS_STDLIB_ALLOW: 'json' } },
  )
  expect(javascript!['env-overrides']).toEqual({
    NODE_FUNCTION_ALLOW_BUILTIN: 'url',
    NODE_PATH: '/image',
    HOST: '0.0.0.0',
  })
  expect(python!['env-overrides']).toEqual({ N8N_RUNNERS_STDLIB_ALLOW: 'json' })
})

test('a variable is handed on to both, over what the image says of it', async () => {
  const { javascript, python } = await configured({ HANDED_ON: 'NODE_PATH' })
  expect(javascript!['allowed-env']).toEqual(['PATH', 'NODE_OPTIONS', 'NODE_PATH'])
  expect(javascript!['env-overrides']).toEqual({ NODE_FUNCTION_ALLOW_BUILTIN: 'crypto', HOST: '0.0.0.0' })
  expect(python!['allowed-env']).toEqual(['PATH', 'NODE_PATH'])
})

test('what comes from a Secret for the code is handed on, and nothing that a cloud puts beside it', async () => {
  const { python } = await configured({ HANDED_ON_TOKEN: 'a', AWS_ROLE_ARN: 'arn', HOME: '/', KUBERNETES_PORT: '1' })
  expect(python!['allowed-env']).toEqual(['PATH', 'TOKEN'])
})

test('all else is as in the image', async () => {
  const { javascript, python } = await configured({})
  expect([javascript!.command, python!.command]).toEqual(['node', 'python'])
})
