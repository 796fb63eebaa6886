import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../loadtests/src/lib/errors.ts'
import { command, type Said } from '../support/command.ts'
import { inProcess } from '../support/in-process.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import { cell, end, run, sample, step, T0 } from './fixtures/records.ts'

/** Folders that are no run, or one that somebody has changed: `report` says so at once, and changes nothing else. */

const folder = temporaryFolder()
const records = [run(), cell(0), sample(0, T0), step(0, 5), step(0, 10, { because: ['latency'] }), end()]
const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
let count = 0

async function runWith(content: string): Promise<string> {
  const dir = join(folder, `run-${count++}`)
  await write(dir, 'run.ndjson', content)
  return dir
}

/** A folder whose record is made by `make`. */
function folderWith(make: (file: string, dir: string) => void): Promise<string> {
  const dir = join(folder, `run-${count++}`)
  mkdirSync(dir)
  make(join(dir, 'run.ndjson'), dir)
  return Promise.resolve(dir)
}

async function reported(...words: string[]): Promise<Said & { took: number }> {
  const begun = process.cpuUsage()
  const said = await inProcess('report', ...words)
  const { user, system } = process.cpuUsage(begun)
  // Milliseconds of this process: others may use the machine too.
  return { ...said, took: (user + system) / 1000 }
}

const changed = (change: (record: Record<string, unknown>) => object) =>
  runWith(records.map((record) => JSON.stringify(change({ ...record }))).join('\n'))

const broken: [what: string, dir: () => Promise<string>][] = [
  ['a pipe', () => folderWith((file) => void spawnSync('mkfifo', [file]))],
  ['a device', () => folderWith((file) => symlinkSync('/dev/zero', file))],
  ['a link to itself', () => folderWith((file) => symlinkSync(file, file))],
  ['a folder', () => folderWith((file) => mkdirSync(file))],
  ['nothing', () => folderWith(() => {})],
  ['an empty file', () => runWith('')],
  [
    'bytes',
    () => folderWith((file) => writeFileSync(file, Buffer.from(Array.from({ length: 1e5 }, (_, at) => at % 256)))),
  ],
  [
    '20 GB without an end of line',
    () =>
      folderWith((file) => {
        writeFileSync(file, `${JSON.stringify(run())}\n`)
        truncateSync(file, 20e9)
      }),
  ],
  ['lines without end', () => runWith(`${JSON.stringify(run())}\n${'\n'.repeat(1e6)}`)],
  ['lists in lists', () => runWith(`${JSON.stringify(run())}\n${'['.repeat(1e6)}\n${JSON.stringify(end())}\n`)],
  ['another JSON', () => runWith('{"name":"n8n","version":"2.41.1"}\n{}\n')],
  ['no experiment', () => changed(({ experiment: _, ...rest }) => rest)],
  ['numbers in the place of objects', () => changed(({ type }) => ({ type, experiment: 1, load: 2, environment: 3 }))],
  ['a step without a load', () => changed(({ load: _, ...rest }) => rest)],
]

test.each(broken)('a record that is %s is one message, within seconds', async (_, dirOf) => {
  const dir = await dirOf()
  const { exit, out, err, took } = await reported(dir)
  expect({ exit, out }).toEqual({ exit: exitCodes.usage, out: '' })
  expect(err).toMatch(/^[^\n]*Expected [^\n]+\nFix: [^\n]+\n$/)
  expect(err).not.toContain('defect')
  expect(took).toBeLessThan(5000)
})

test('a record that is cut short is reported as far as it goes', async () => {
  const { exit, out } = await reported(await runWith(text.slice(0, -30)))
  expect({ exit, out }).toEqual({ exit: exitCodes.met, out: expect.stringContaining('report.html') })
})

test('fields that no version of the lab knows change nothing', async () => {
  const dir = await changed((record) => ({ ...record, __proto__x: { a: 1 }, [`${'../'.repeat(9)}x`]: '\x1b]0;x\x07' }))
  expect((await reported(dir)).exit).toBe(exitCodes.met)
})

test('a link in a run’s folder leads to no file elsewhere', async () => {
  const victim = await write(folder, 'victim.txt', 'kept')
  const dir = await runWith(text)
  for (const name of ['report.html', 'report.md', 'samples.csv', 'summary.json', 'values.yaml'])
    symlinkSync(victim, join(dir, name))
  expect((await reported(dir)).exit).toBe(exitCodes.met)
  expect(readFileSync(victim, 'utf8')).toBe('kept')
  expect(statSync(join(dir, 'report.html')).isFile()).toBe(true)
})

test('a folder in the place of what is written is said', async () => {
  const dir = await runWith(text)
  mkdirSync(join(dir, 'report.html'))
  const { exit, err } = await reported(dir)
  expect({ exit, err }).toEqual({
    exit: exitCodes.usage,
    err: expect.stringMatching(/^Expected to write .*report.html/),
  })
})

const hostile = '=HYPERLINK("http://x")\x1b]0;owned\x07\u202Etxt'

test('a cell of CSV is no formula, and what is printed is no command of a terminal', async () => {
  const variants = [{ name: hostile, values: {} }]
  const all = [
    run({ experiment: { variants, workflows: [hostile] } }),
    cell(0, { variant: hostile, workflow: hostile }),
    ...records.slice(2),
  ]
  const dir = await runWith(all.map((record) => JSON.stringify(record)).join('\n'))
  const { exit, out, err } = await reported(dir)
  expect(exit).toBe(exitCodes.met)
  expect(out + err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202A-\u202E]/)
  expect(out).toContain('=HYPERLINK')
  const cells = readFileSync(join(dir, 'samples.csv'), 'utf8').split(/[,\n]"?/)
  expect(cells.filter((one) => /^"?[=+@-]/.test(one))).toEqual([])
  expect(cells.some((one) => one.startsWith(`'=HYPERLINK`))).toBe(true)
})

test('the page of several runs takes no page of others in its place', async () => {
  const dirs = await Promise.all([runWith(text), runWith(text)])
  const beside = join(folder, 'beside')
  for (const [at, dir] of dirs.entries()) cpSync(dir, join(beside, String(at)), { recursive: true })
  const both = [join(beside, '0'), join(beside, '1')]
  const own = await write(beside, 'index.html', 'my own page')
  const refused = await reported(...both)
  expect({ exit: refused.exit, err: refused.err }).toEqual({
    exit: exitCodes.usage,
    err: expect.stringContaining('or one that n8n-tuned wrote, found another'),
  })
  expect([readFileSync(own, 'utf8'), readdirSync(beside)]).toEqual(['my own page', ['0', '1', 'index.html']])
  writeFileSync(own, '')
  spawnSync('rm', [own])
  for (let times = 0; times < 2; times++) expect((await reported(...both)).exit).toBe(exitCodes.met)
})

test('an alias in YAML that grows without end is a mistake in that file', async () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (let at = 1; at < 20; at++) {
    const [name, before] = [String.fromCharCode(97 + at), String.fromCharCode(96 + at)]
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`)
  }
  const deep = await write(folder, 'deep.yaml', `a: ${'['.repeat(1e5)}`)
  for (const file of [await write(folder, 'bomb.yaml', lines.join('\n')), deep])
    for (const words of [
      ['convert', '--from', 'official', file],
      ['convert', '--from', 'compose', file],
      ['check', '--values', file],
      ['check', '--profile', file],
    ]) {
      const { exit, err } = await inProcess(...words)
      expect({ words, exit, err }).toEqual({ words, exit: exitCodes.usage, err: expect.stringContaining(`${file}:`) })
      expect(err).not.toContain('defect')
    }
})

test('the command as it is typed ends where the record is a pipe', async () => {
  const dir = await folderWith((file) => void spawnSync('mkfifo', [file]))
  expect(await command('report', dir)).toMatchObject({ exit: exitCodes.usage, err: expect.stringContaining('a pipe') })
})
