import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { parse } from 'yaml'
import { command, root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** The action in a repository with values. In place of the lab stands one that ends as it is told. */

const folder = temporaryFolder()
const [ours, action, temp] = ['ours', 'action', 'temp'].map((name) => join(folder, name)) as [string, string, string]
const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], { cwd, stdio: 'pipe' })

beforeAll(() => {
  const origin = join(folder, 'origin')
  mkdirSync(join(origin, 'n8n'), { recursive: true })
  git(origin, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(origin, 'n8n/values.yaml'), 'image: { tag: 2.41.0 }\n')
  git(origin, 'add', '.')
  git(origin, 'commit', '--quiet', '--message=before')
  // As actions/checkout has it.
  git(folder, 'clone', '--quiet', '--depth=1', `file://${origin}`, ours)

  mkdirSync(join(action, 'tools'), { recursive: true })
  cpSync(join(root, 'tools/gate-action'), join(action, 'tools/gate-action'))
  writeFileSync(
    join(action, 'n8n-tuned'),
    [
      '#!/usr/bin/env bash',
      'printf "%s\\n" "$@" >"$RUNNER_TEMP/words"',
      'mkdir -p "${@: -1}" && echo "# The report" >"${@: -1}/report.md"',
      'exit "$ENDS"',
    ].join('\n'),
  )
  chmodSync(join(action, 'n8n-tuned'), 0o755)
})

async function gate({
  after = 'image: { tag: 2.41.1 }\n',
  ends = 0,
  ...env
}: { after?: string; ends?: number; [name: string]: unknown } = {}) {
  execFileSync('rm', ['-rf', temp])
  mkdirSync(temp)
  for (const name of ['output', 'summary']) writeFileSync(join(temp, name), '')
  writeFileSync(join(ours, 'n8n/values.yaml'), after)
  const inputs = {
    VALUES: 'n8n/values.yaml',
    BASE: 'main',
    WORKFLOW: 'ping-webhook',
    RATE: '10',
    BOUND: 'cpu=8%',
    REPEAT: '5',
  }
  const { exitCode, stdout } = await execa(join(action, 'tools/gate-action'), {
    cwd: ours,
    env: {
      ...inputs,
      ...{ RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary') },
      ...{ ENDS: String(ends), ...(env as Record<string, string>) },
    },
    reject: false,
  })
  const [output, summary] = ['output', 'summary'].map((name) => readFileSync(join(temp, name), 'utf8')) as [
    string,
    string,
  ]
  return { exitCode, stdout, output, summary }
}

test('it compares the values of the base branch with those of the change', async () => {
  const run = join(temp, 'n8n-capacity-gate/run')
  expect(await gate()).toMatchObject({ exitCode: 0, output: `run=${run}\nverdict=passed\n`, summary: '# The report\n' })
  const words = readFileSync(join(temp, 'words'), 'utf8').trim().split('\n')
  const files = words.filter((_, index) => words[index - 1] === '--with')
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  expect(texts).toEqual(['image: { tag: 2.41.0 }\n', 'image: { tag: 2.41.1 }\n'])
  // The lab knows all that it is given.
  const { out } = await command('compare', '--help')
  for (const option of words.filter((word) => word.startsWith('--'))) expect(out).toContain(`${option} `)
})

test.each([
  [3, 'worse'],
  [4, 'unsure'],
  [1, 'failed'],
])('exit code %d of the comparison is its own: %s', async (ends, verdict) => {
  expect(await gate({ ends })).toMatchObject({
    exitCode: ends,
    output: expect.stringContaining(`verdict=${verdict}\n`),
  })
})

test('values that did not change are not measured', async () => {
  expect(await gate({ after: 'image: { tag: 2.41.0 }\n', ends: 1 })).toMatchObject({
    exitCode: 0,
    output: 'verdict=unchanged\n',
  })
})

test.each([
  [{ BASE: '' }, 'Expected a branch to compare with'],
  [{ BASE: 'nowhere' }, 'Expected to fetch the branch nowhere'],
  [{ VALUES: 'values.yaml' }, 'Expected values.yaml in this repository'],
])('%j ends with what is wrong', async (env, message) => {
  expect(await gate(env)).toMatchObject({
    exitCode: 2,
    output: 'verdict=failed\n',
    stdout: expect.stringContaining(message),
  })
})

test('the workflow of the docs gives the action what it takes', () => {
  execFileSync(join(root, 'tools/install'), ['actionlint'], { stdio: 'ignore' })
  const here = join(folder, 'lint')
  mkdirSync(join(here, '.github/workflows'), { recursive: true })
  git(here, 'init', '--quiet')
  cpSync(join(root, 'action.yml'), join(here, 'action.yml'))
  // It reads the action itself only where that is in the same repository.
  const workflow = readFileSync(join(root, 'docs/upgrade-gate.yml'), 'utf8').replace(
    /YOUR_ORGANISATION\/n8n-tuned@0+/,
    './',
  )
  expect(workflow).toContain('uses: ./')
  writeFileSync(join(here, '.github/workflows/gate.yml'), workflow)
  execFileSync(join(root, 'tools/bin/actionlint'), [], { cwd: here, stdio: 'pipe' })
})

test('each script of the action has what it names', () => {
  const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, unknown>
    runs: { steps: { id?: string; run?: string; env?: Record<string, string> }[] }
  }
  const given = runs.steps.flatMap(({ env = {} }) => Object.values(env)).map((text) => /inputs\.(\w+)/.exec(text)![1]!)
  expect(given.sort()).toEqual(Object.keys(inputs).sort())
  const key = runs.steps.find(({ id }) => id === 'parts')!.run!
  const output = join(folder, 'key')
  execFileSync('bash', ['-euc', key], { env: { ...process.env, GITHUB_ACTION_PATH: root, GITHUB_OUTPUT: output } })
  expect(readFileSync(output, 'utf8')).toMatch(/^key=[0-9a-f]{16}\n$/)
})
