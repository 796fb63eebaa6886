import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exitCodes } from '../../loadtests/src/lib/errors.ts'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { command, root } from '../support/command.ts'
import { write } from '../support/temporary.ts'
import { cell, end, exited, run, sample, step, T0 } from './fixtures/records.ts'
import { workersRun } from './fixtures/runs.ts'
import { folder, together, expectUsage, line } from './fixtures/mistakes.ts'

together(
  'a mistake ends with exit 2, and what to do: a folder that holds another run, which is left as it is',
  async () => {
    const dir = join(folder, 'taken')
    const file = await write(dir, 'run.ndjson', JSON.stringify(run()))
    const result = await command('check', '--out', dir)
    expect(result.exit).toBe(exitCodes.usage)
    expect(result.err).toContain(`Expected --out to name a folder without a run, got ${dir}, which holds one.`)
    expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(run()))
  },
)

together('help lists the commands and the exit codes', async () => {
  const { exit, out } = await command('--help')
  expect(exit).toBe(exitCodes.met)
  for (const verb of ['check', 'compare', 'size', 'tune', 'report', 'ecosystem', 'convert', 'list'])
    expect(out).toContain(`  ${verb} `)
  expect(out).toContain('Exit codes: 0 objective met')
})

together('a reader that has seen enough, as in `| head`, is no failure', async () => {
  const child = spawn(process.execPath, ['loadtests/src/main.ts', 'check', '--help'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [exit] = (await once(child, 'close')) as [number]
  expect({ exit, said }).toEqual({ exit: exitCodes.met, said: '' })
})

together.each(['check', 'compare', 'size', 'tune', 'report', 'ecosystem', 'convert', 'list'])(
  'help of %s has an example that begins with the command',
  async (verb) => {
    const { exit, out } = await command(verb, '--help')
    expect(exit).toBe(exitCodes.met)
    expect(out).toMatch(new RegExp(`Examples?:\\n(?:  .*:\\n  )?  \\./n8n-tuned ${verb}`))
  },
)

together('help is what a command without words gets', async () => {
  const { exit, err } = await command()
  expect([exit, err.includes('Usage: n8n-tuned')]).toEqual([exitCodes.usage, true])
})

const profiles = readdirSync(paths.profiles).map((file) => basename(file, '.yaml'))

together('list tells every profile with its question, the workflows and the load shapes', async () => {
  const { exit, out } = await command('list')
  expect(exit).toBe(exitCodes.met)
  for (const name of [...profiles, 'ping-webhook', 'closed', 'constant', 'ramp', 'spike', 'soak', 'herd', 'search'])
    expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  expect(out).toMatch(/own-vs-main +Does forking a process per execution sustain the same load\?/)
})

together('list is JSON for programs', async () => {
  const { out } = await command('list', '--json')
  expect(JSON.parse(out)).toMatchObject({
    profiles: Object.fromEntries(profiles.map((name) => [name, expect.stringContaining('?')])),
    workflows: expect.arrayContaining(['ping-webhook']),
    shapes: expect.any(Object),
  })
})

together('list tells a cluster’s administrator what to grant, and for a namespace nothing outside it', async () => {
  const everywhere = await command('list', '--rbac')
  expect([everywhere.exit, everywhere.out]).toEqual([exitCodes.met, expect.stringContaining('kind: ClusterRole\n')])
  const { out } = await command('list', '--rbac', '--namespace', 'n8n-lab')
  expect(out).not.toContain('Cluster')
  expect(out).toContain('kind: Role\nmetadata: { name: n8n-tuned-lab, namespace: n8n-lab }')
  expect((await command('list', '--namespace', 'n8n-lab')).exit).toBe(exitCodes.usage)
})

const records = [
  run(),
  cell(0),
  sample(0, T0),
  step(0, 50),
  exited(0, 'oom-killed'),
  step(0, 100, { because: ['oom-killed'] }),
  end(),
]

const files = ['report.html', 'report.md', 'samples.csv', 'summary.json', 'values.yaml']

together('report of a run that was killed within a line renders what was measured until then', async () => {
  const dir = join(folder, 'killed')
  await write(dir, 'run.ndjson', `${records.slice(0, 4).map(line).join('\n')}\n${line(records[5]!).slice(0, 40)}`)
  const { exit, out, err } = await command('report', dir)
  expect([exit, err]).toEqual([exitCodes.met, ''])
  expect(
    readdirSync(dir)
      .filter((name) => files.includes(name))
      .sort(),
  ).toEqual(files)
  expect(out).toContain('report.html')
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toMatchObject({
    endedAt: null,
    results: [{ steps: [{ load: { rate: 50 } }] }],
  })
})

together('report is the summary itself for programs', async () => {
  const dir = join(folder, 'whole')
  await write(dir, 'run.ndjson', records.map(line).join('\n'))
  const { out } = await command('report', dir, '--json')
  expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')))
})

together('report says how many replicas a rate needs, by the law of each group of cells', async () => {
  const dir = join(folder, 'workers')
  await write(dir, 'run.ndjson', workersRun().map(line).join('\n'))
  const { exit, out } = await command('report', dir, '--rate', '35')
  expect(exit).toBe(exitCodes.met)
  expect(out).toMatch(/35\/s of ping-webhook, tuned \(worker\.resources\.limits\.cpu=200m\): worker\.replicas: [45]\b/)
  expect(out).toMatch(/cpu=1\): Expected capacities within 10 % of the law, got \d replicas off by/)
})

together('report of a run that never began says so', async () => {
  const dir = join(folder, 'empty')
  await write(dir, 'run.ndjson', '')
  const result = await command('report', dir)
  expectUsage(result)
  expect(result.err).toContain('Fix: The run ended before anything was measured: run it again.')
})

together('help of check has its groups, and the five options that most need come first', async () => {
  const { out } = await command('check', '--help')
  expect(out.match(/^[A-Z].*:$/gm)).toEqual([
    'First of all:',
    'What to measure:',
    'On what:',
    'How long:',
    'What else:',
    'Examples:',
  ])
  const [, first] = out.split(/First of all:|What to measure:/)
  expect(first!.match(/--[a-z]+/g)).toEqual(['--workflow', '--values', '--target', '--slo', '--rate'])
  expect(out).not.toContain('(default: [])')
})
