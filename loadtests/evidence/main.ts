/**
 * Keeps the figures of the docs and the runs they come from together.
 * usage: main.ts check      fails if a table differs from the run that it names
 * main.ts render            writes the tables from docs/evidence/raw
 * main.ts measure [NAME…]   runs what runs.yaml says (all of it, about three hours; a quiet machine), keeps it and
 * renders
 */
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { parse } from 'yaml'
import type { Summary } from '../src/model/summary.ts'
import { fill, type Kept } from './page.ts'
import { keepRun, readRun } from './raw.ts'

const root = join(import.meta.dirname, '../..')
const raw = join(root, 'docs/evidence/raw')
const commands: Record<string, string> = parse(await readFile(join(import.meta.dirname, 'runs.yaml'), 'utf8'))

async function measure(names: string[]): Promise<void> {
  for (const name of names) {
    const out = await mkdtemp(join(tmpdir(), 'evidence-'))
    const [verb, article] = commands[name]!.split(' ')
    if (verb === 'article') {
      const program = join(root, 'loadtests/articles/main.ts')
      await execa(process.execPath, ['--no-warnings', program, article!, '--out', out], { stdio: 'inherit' })
      await keepRun(raw, name, await readFile(join(out, `${article}.json`), 'utf8'))
      await rm(out, { recursive: true })
      continue
    }
    const run = join(out, name)
    // A missed objective, or a bound that was reached first, is evidence too.
    const { exitCode } = await execa('n8n-tuned', [...commands[name]!.split(' '), '--out', run], {
      stdio: ['ignore', 'inherit', 'inherit'],
      reject: false,
    })
    if (exitCode === 1 || exitCode === 2) throw new Error(`${name}: n8n-tuned ended with ${exitCode}.`)
    const summary: Summary = {
      ...JSON.parse(await readFile(join(run, 'summary.json'), 'utf8')),
      command: `n8n-tuned ${commands[name]}`,
    }
    if (summary.outcome !== 'complete')
      throw new Error(`${name}: Expected a complete run to keep, got one that was ${summary.outcome}.`)
    // The place where n8n was installed differs between machines, so logs leave it out.
    await keepRun(raw, name, JSON.stringify(summary).replaceAll(homedir(), '~'))
    await rm(join(raw, `${name}.json`), { force: true })
    await rm(out, { recursive: true })
  }
}

/** Every page with a table: its present text, and the text that its runs give. */
async function pages(): Promise<{ path: string; stands: string; should: string }[]> {
  const paths: string[] = []
  for await (const path of glob(['README.md', 'docs/**/*.md', 'charts/n8n-tuned/README.md'], { cwd: root }))
    paths.push(path)
  const keptOf = (name: string): Promise<Kept | null> => readRun(raw, name)
  return Promise.all(
    paths.map(async (path) => {
      const stands = await readFile(join(root, path), 'utf8')
      return { path, stands, should: await fill(stands, keptOf) }
    }),
  )
}

const [task, ...asked] = process.argv.slice(2)
if (task === 'measure') {
  const unknown = asked.filter((name) => !(name in commands))
  if (unknown.length > 0)
    throw new Error(`Expected names of ${Object.keys(commands).join(', ')}, got ${unknown.join(', ')}.`)
  await measure(asked.length > 0 ? asked : Object.keys(commands))
}
const differing = (await pages()).filter(({ stands, should }) => stands !== should)
if (task === 'check') {
  for (const { path } of differing)
    console.error(
      `${path}: Expected its tables to say what docs/evidence/raw holds, but they differ. \`make `
        + `evidence-tables\` writes them.`,
    )
  process.exitCode = differing.length > 0 ? 1 : 0
} else {
  for (const { path, should } of differing) await writeFile(join(root, path), should)
}
