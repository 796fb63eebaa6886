import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exitCodes } from '../../loadtests/src/errors.ts'
import { paths } from '../../loadtests/src/paths.ts'
import { cell, end, exited, run, sample, step, T0 } from './fixtures/records.ts'
import { command, type Said } from '../support/command.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

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
  ['a target that there is not', ['check', '--target', 'mars'], 'Allowed choices are local.'],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said) => {
  const result = await command(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain('n8n-tuned --help')
})

together.each([
  ['an unknown profile', ['check', '--profile', 'fast'], 'Expected --profile to be a file or one of check, ', 'Fix: n8n-tuned list'],
  ['an unknown workflow', ['check', '--workflow', 'pong'], '--workflow: Expected workflows to name a bundled workflow or a JSON file, got "pong".', 'Fix: Bundled: '],
  ['one of several variants, unnamed', ['check', '--profile', 'quick'], 'Expected one configuration to check, got the 2 variants of quick.', 'Fix: Name one with --variant (n8n-defaults, tuned)'],
  ['a variant that there is not', ['check', '--profile', 'quick', '--variant', 'fast'], 'Expected --variant to be one of n8n-defaults, tuned, got "fast".', 'Fix: '],
  ['a value of Helm that the chart refuses', ['check', '--set', 'executions.process=own'], '--set: These values are refused.\nexecutions.process: Expected ', 'Fix: Change the value'],
  ['a folder without a run', ['report', '/nowhere'], 'Expected /nowhere to hold a run.ndjson, found none.', 'Fix: Name a folder'],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said, fix) => {
  const result = await command(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain(fix)
})

together.each([
  ['an unknown key', 'question:', 'speed: 3\nquestion:', ':2: Expected a profile without the key "speed", got it.', 'Fix: Remove it or correct its spelling'],
  ['a wrong type', 'vus: 8', 'vus: many', ':5: load.vus: Expected a number, got "many".', 'Fix: Correct load.vus'],
  ['an unknown workflow', 'ping-webhook', 'pong-webhook', ':4: Expected workflows to name a bundled workflow or a JSON file, got "pong-webhook".', 'Fix: Bundled: '],
  ['a value that the chart does not know', '{ image:', '{ wings: 2, image:', ':3: These values are refused.\nwings: there is no such value.', 'Fix: Change the value it names'],
  ['a value that the chart refuses', '{ tag: 2.41.1 } }', '{ tag: 2.41.1 }, executions: { process: own } }', ':3: These values are refused.\nexecutions.process: Expected ', 'Fix: Change the value it names'],
  ['a syntax that is none', '[ping-webhook]', '[ping-webhook', ':5: Expected YAML, got: ', 'Fix: Correct the syntax at that line.'],
])('a mistake ends with exit 2, and what to do: %s in a profile, at its file and line', async (_, from, to, said, fix) => {
  const result = await checking(from, to)
  expectUsage(result)
  expect(result.err).toContain(`${result.profile}${said}`)
  expect(result.err).toContain(fix)
})

together('a mistake ends with exit 2, and what to do: a folder that holds another run, which is left as it is', async () => {
  const dir = join(folder, 'taken')
  const file = await write(dir, 'run.ndjson', JSON.stringify(run()))
  const result = await command('check', '--out', dir)
  expect(result.exit).toBe(exitCodes.usage)
  expect(result.err).toContain(`Expected --out to name a folder without a run, got ${dir}, which holds one.`)
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(run()))
})

together('help lists the commands and the exit codes', async () => {
  const { exit, out } = await command('--help')
  expect(exit).toBe(exitCodes.met)
  for (const verb of ['check', 'compare', 'report', 'list']) expect(out).toContain(`  ${verb} `)
  expect(out).toContain('Exit codes: 0 objective met')
})

together.each(['check', 'compare', 'report', 'list'])('help of %s has an example that begins with the command', async (verb) => {
  const { exit, out } = await command(verb, '--help')
  expect(exit).toBe(exitCodes.met)
  expect(out).toMatch(new RegExp(`Example:\\n  n8n-tuned ${verb}`))
})

together('help is what a command without words gets', async () => {
  const { exit, err } = await command()
  expect([exit, err.includes('Usage: n8n-tuned')]).toEqual([exitCodes.usage, true])
})

const profiles = readdirSync(paths.profiles).map((file) => basename(file, '.yaml'))

together('list tells every profile with its question, the workflows and the load shapes', async () => {
  const { exit, out } = await command('list')
  expect(exit).toBe(exitCodes.met)
  for (const name of [...profiles, 'ping-webhook', 'closed', 'constant', 'search']) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  expect(out).toMatch(/own-vs-main +Does forking a process per execution carry the same load\?/)
})

together('list is JSON for programs', async () => {
  const { out } = await command('list', '--json')
  expect(JSON.parse(out)).toMatchObject({ profiles: Object.fromEntries(profiles.map((name) => [name, expect.stringContaining('?')])), workflows: expect.arrayContaining(['ping-webhook']), shapes: expect.any(Object) })
})

const records = [run(), cell(0), sample(0, T0), step(0, 50), exited(0, 'oom-killed'), step(0, 100, { because: ['oom-killed'] }), end()]
const line = (record: object) => JSON.stringify(record)
const files = ['report.html', 'report.md', 'samples.csv', 'summary.json', 'values.yaml']

together('report of a run that was killed within a line renders what was measured until then', async () => {
  const dir = join(folder, 'killed')
  await write(dir, 'run.ndjson', `${records.slice(0, 4).map(line).join('\n')}\n${line(records[5]!).slice(0, 40)}`)
  const { exit, out, err } = await command('report', dir)
  expect([exit, err]).toEqual([exitCodes.met, ''])
  expect(readdirSync(dir).filter((name) => files.includes(name)).sort()).toEqual(files)
  expect(out).toContain('report.html')
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toMatchObject({ endedAt: null, results: [{ steps: [{ load: { rate: 50 } }] }] })
})

together('report is the summary itself for programs', async () => {
  const dir = join(folder, 'whole')
  await write(dir, 'run.ndjson', records.map(line).join('\n'))
  const { out } = await command('report', dir, '--json')
  expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')))
})

together('report of a run that never began says so', async () => {
  const dir = join(folder, 'empty')
  await write(dir, 'run.ndjson', '')
  const result = await command('report', dir)
  expectUsage(result)
  expect(result.err).toContain('Fix: The run ended before anything was measured: run it again.')
})
