import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exitCodes } from '../../loadtests/src/errors.ts'
import { paths } from '../../loadtests/src/support/paths.ts'
import { command, root, type Said } from '../support/command.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import { cell, end, exited, run, sample, step, T0 } from './fixtures/records.ts'
import { workersRun } from './fixtures/runs.ts'

/** The real command in a process of its own: what a user types, and what the terminal says. */

const folder = temporaryFolder()
/** All in one block, since jest runs together what is in one. */
const together = test.concurrent

const good = `name: mine
question: What does it carry?
base: { image: { tag: 2.41.1 } }
workflows: [ping-webhook]
load: { shape: closed, vus: 8, duration: 60s }
`
let count = 0
/** A check with a profile in which one thing was changed. */
async function checking(from: string, to: string): Promise<Said & { profile: string }> {
  const profile = await write(folder, `profile-${count++}.yaml`, good.replace(from, to))
  return { profile, ...(await command('check', '--profile', profile, '--out', join(folder, 'never'))) }
}

/** Ended by the user's mistake: said in a few lines, with the fix, and nothing of our insides. */
function expectUsage({ exit, out, err }: Said): void {
  expect(exit).toBe(exitCodes.usage)
  expect(out).toBe('')
  expect(err).not.toMatch(/^\s+at |defect/m)
  expect(existsSync(join(folder, 'never'))).toBe(false)
}

together.each([
  ['an unknown command', ['measure'], "unknown command 'measure'"],
  ['an unknown option', ['check', '--fast'], "unknown option '--fast'"],
  ['a missing argument', ['report'], "missing required argument 'dir'"],
  ['a value that is no YAML', ['check', '--set', 'a=[1'], 'Expected its value to be YAML, got "[1".'],
  [
    'a target that there is not',
    ['check', '--target', 'mars'],
    'Expected local, kubernetes or a URL like https://n8n.example.com, got "mars".',
  ],
  [
    'a password as an argument',
    ['check', '--target', 'https://me:secret@n8n.example.com'],
    'Expected a URL without a name and a password',
  ],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said) => {
  const result = await command(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain('n8n-tuned --help')
})

together.each([
  [
    'an unknown profile',
    ['check', '--profile', 'fast'],
    'Expected --profile to be a file or one of balancers, check, ',
    'Fix: n8n-tuned list',
  ],
  [
    'an unknown workflow',
    ['check', '--workflow', 'pong'],
    '--workflow: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "pong".',
    'Fix: Bundled: ',
  ],
  [
    'one of several variants, unnamed',
    ['check', '--profile', 'quick'],
    'Expected one configuration to check, got the 3 variants of quick.',
    'Fix: Name one with --variant (n8n-defaults, tuned, patched)',
  ],
  [
    'a variant that there is not',
    ['check', '--profile', 'quick', '--variant', 'fast'],
    'Expected --variant to be one of n8n-defaults, tuned, patched, got "fast".',
    'Fix: ',
  ],
  [
    'a value of Helm that the chart refuses',
    ['check', '--set', 'executions.process=own'],
    '--set: These values are refused.\nexecutions.process: Expected ',
    'Fix: Change the value',
  ],
  [
    'a host that is not this machine, without leave',
    ['check', '--target', 'https://n8n.invalid', '--out', join(folder, 'never')],
    'Expected leave to load https://n8n.invalid/',
    'Fix: Give --yes',
  ],
  [
    'an n8n that does not answer',
    ['check', '--target', 'http://127.0.0.1:1', '--out', join(folder, 'never')],
    'Expected http://127.0.0.1:1/webhook/ping to answer, got: ',
    'Fix: ',
  ],
  [
    'Helm values for an n8n that runs already',
    ['check', '--target', 'http://127.0.0.1:1', '--set', 'main.replicas=1'],
    'to keep its settings, got --set.',
    'Fix: Leave that out',
  ],
  [
    'variants of an n8n that runs already',
    ['compare', '--target', 'http://127.0.0.1:1'],
    'Expected check with a --target that runs already, got compare.',
    'Fix: ',
  ],
  [
    'metrics of an n8n that the lab starts itself',
    ['check', '--metrics-url', 'http://127.0.0.1:1/metrics'],
    'Expected --metrics-url with a --target that is a URL',
    'Fix: Leave it out',
  ],
  [
    'an explanation of an n8n that the lab does not start',
    ['check', '--explain', '--target', 'http://127.0.0.1:1'],
    'Expected --explain with an n8n that the lab starts on this machine (--target local), got the URL',
    'Fix: Leave --explain out',
  ],
  [
    'an explanation in a cluster',
    ['compare', '--explain', '--target', 'kubernetes'],
    'got kubernetes.',
    'Fix: Leave --explain out',
  ],
  [
    'an explanation of a bare server',
    ['compare', '--explain', '--profile', 'balancers'],
    'got a bare server.',
    'Fix: Leave --explain out',
  ],
  [
    'a folder without a run',
    ['report', '/nowhere'],
    'Expected /nowhere to hold a run.ndjson, found none.',
    'Fix: Name a folder',
  ],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said, fix) => {
  const result = await command(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain(fix)
})

together('a mix is nothing to size for', async () => {
  const profile = await write(
    folder,
    'traffic.yaml',
    good.replace('{ shape: closed, vus: 8,', '{ shape: mixed, rate: 5,'),
  )
  const result = await command('size', '--profile', profile, '--rate', '5', '--out', join(folder, 'never'))
  expectUsage(result)
  expect(result.err).toContain('got the mix of mine.\nFix: Set load.shape to constant')
})

together.each([
  [
    'an unknown key',
    'question:',
    'speed: 3\nquestion:',
    ':2: Expected a profile without the key "speed", got it.',
    'Fix: Remove it or correct its spelling',
  ],
  ['a wrong type', 'vus: 8', 'vus: many', ':5: load.vus: Expected a number, got "many".', 'Fix: Correct load.vus'],
  [
    'an unknown workflow',
    'ping-webhook',
    'pong-webhook',
    ':4: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "pong-webhook".',
    'Fix: Bundled: ',
  ],
  [
    'a value that the chart does not know',
    '{ image:',
    '{ wings: 2, image:',
    ':3: These values are refused.\nwings: there is no such value.',
    'Fix: Change the value it names',
  ],
  [
    'a value that the chart refuses',
    '{ tag: 2.41.1 } }',
    '{ tag: 2.41.1 }, executions: { process: own } }',
    ':3: These values are refused.\nexecutions.process: Expected ',
    'Fix: Change the value it names',
  ],
  [
    'a syntax that is none',
    '[ping-webhook]',
    '[ping-webhook',
    ':5: Expected YAML, got: ',
    'Fix: Correct the syntax at that line.',
  ],
])(
  'a mistake ends with exit 2, and what to do: %s in a profile, at its file and line',
  async (_, from, to, said, fix) => {
    const result = await checking(from, to)
    expectUsage(result)
    expect(result.err).toContain(`${result.profile}${said}`)
    expect(result.err).toContain(fix)
  },
)

together('a mistake ends with exit 2, and what to do: going on with a run that asked something else', async () => {
  const dir = join(folder, 'other')
  await write(dir, 'run.ndjson', `${JSON.stringify(run())}\n`)
  const result = await command('check', '--resume', dir)
  expectUsage(result)
  expect(result.err).toContain(
    `Expected --resume to name a run of this very experiment, got ${dir}, which asked something else.`,
  )
})

together('a mistake ends with exit 2, and what to do: sizing without a rate, and without a price', async () => {
  const rateless = await command('size', '--profile', 'check', '--out', join(folder, 'never'))
  expectUsage(rateless)
  expect(rateless.err).toContain('Expected a rate to size for, got none: the load of check is not constant.')
  const priceless = await command(
    'size',
    '--profile',
    'check',
    '--rate',
    '5',
    '--set',
    'main.resources.limits.cpu=null',
    '--out',
    join(folder, 'never'),
  )
  expectUsage(priceless)
  expect(priceless.err).toContain(
    'Expected CPU and memory limits for every container, since they make the price, got none for some of check.',
  )
})

together('a mistake ends with exit 2, and what to do: tuning what has variants, or nothing to leave out', async () => {
  const several = await command('tune', '--profile', 'quick', '--out', join(folder, 'never'))
  expectUsage(several)
  expect(several.err).toContain('Expected a profile with neither variants nor matrix, got none of it in quick.')
  const untuned = await command('tune', '--set', 'tuning.tier=n8n-defaults', '--out', join(folder, 'never'))
  expectUsage(untuned)
  expect(untuned.err).toContain(
    'Expected values whose tier has settings or patches, got none of it in the tier n8n-defaults.',
  )
  const slow = await command('tune', '--rate', '0', '--out', join(folder, 'never'))
  expectUsage(slow)
  expect(slow.err).toContain('Expected a number above 0, got "0".')
  const idle = await command('tune', '--setting', 'keepFinishedJobs', '--out', join(folder, 'never'))
  expectUsage(idle)
  expect(idle.err).toContain(
    'Expected a setting or patch that does something with these values (tier patched), got '
      + 'keepFinishedJobs.\nFix: Those that do: ',
  )
})

together.each([
  ['a bound that is none', ['--bound', 'speed=1%'], 'Expected capacity=8%, memory=15% or cpu=8%, got "speed=1%".'],
  [
    'a bound of CPU without a rate',
    ['--bound', 'cpu=8%'],
    '--bound: Expected capacity or memory, got cpu.\nFix: CPU a request is compared at one rate: add --rate.',
  ],
  [
    'a bound of capacity at a rate',
    ['--rate', '10', '--bound', 'capacity=8%'],
    '--bound: Expected cpu or memory, got capacity.',
  ],
  [
    'one alone side by side',
    ['--rate', '10'],
    '--rate: Expected two variants or more to run side by side, got only upgrade.',
  ],
  [
    'an earlier run side by side',
    ['--rate', '10', '--against', 'results/before'],
    "option '--rate <requests/s>' cannot be used with option '--against <dir>'",
  ],
  [
    'a rate that is needed, side by side',
    ['--rate', '10', '--need', '10'],
    "option '--need <requests/s>' cannot be used with option '--rate <requests/s>'",
  ],
  ['an earlier run that is none', ['--against', 'docs'], 'Expected docs to hold a run.ndjson, found none.'],
  [
    'two variants of one name',
    ['--tag', '2.41.1', '--tag', '2.41.1'],
    'Expected variants of different names, got two of "2.41.1".',
  ],
  [
    'values that are not there',
    ['--with', 'nowhere.yaml'],
    'nowhere.yaml: Expected a readable YAML file, got: ENOENT.',
  ],
  ['a version that there is not', ['--tag', 'newest'], 'These values are refused.'],
])('a mistake ends with exit 2, and what to do: comparing with %s', async (_, words, said) => {
  const result = await command('compare', '--profile', 'upgrade', ...words, '--out', join(folder, 'never'))
  expectUsage(result)
  expect(result.err).toContain(said)
})

together('report says what the gate says, of one run no more than that it is unsure', async () => {
  const dir = join(folder, 'gate')
  const earlier = {
    id: 'before',
    calibration: null,
    results: [{ variant: 'tuned', workflow: 'ping-webhook', cell: {}, capacities: [80], peaks: [100 * 2 ** 20] }],
  }
  const gate = { type: 'gate', at: T0, bounds: { capacity: 0.08, memory: 0.15 }, earlier }
  await write(dir, 'run.ndjson', [run(), gate, cell(0), sample(0, T0), step(0, 50), end()].map(line).join('\n'))
  const { out } = await command('report', dir)
  expect(out).toContain('Against before:\n  unsure: ping-webhook, tuned: capacity 50/s, was 80/s (−37 %, one run)')
  expect(out).toContain('  unsure: ping-webhook, tuned: memory 500 MiB, was 100 MiB (+400 %, one run)')
})

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
    expect(out).toMatch(new RegExp(`Example:\\n  n8n-tuned ${verb}`))
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
  expect(out).toMatch(/own-vs-main +Does forking a process per execution carry the same load\?/)
})

together('list is JSON for programs', async () => {
  const { out } = await command('list', '--json')
  expect(JSON.parse(out)).toMatchObject({
    profiles: Object.fromEntries(profiles.map((name) => [name, expect.stringContaining('?')])),
    workflows: expect.arrayContaining(['ping-webhook']),
    shapes: expect.any(Object),
  })
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
const line = (record: object) => JSON.stringify(record)
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
  expect(out).toMatch(/35\/s of ping-webhook, tuned \(worker\.resources\.limits\.cpu=200m\): worker\.replicas: [45]\n/)
  expect(out).toMatch(/cpu=1\): Expected capacities within 10 % of the law, got \d replicas off by/)
})

together('report of a run that never began says so', async () => {
  const dir = join(folder, 'empty')
  await write(dir, 'run.ndjson', '')
  const result = await command('report', dir)
  expectUsage(result)
  expect(result.err).toContain('Fix: The run ended before anything was measured: run it again.')
})
