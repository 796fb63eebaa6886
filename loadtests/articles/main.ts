/**
 * The experiments of the articles that this project grew from, on this machine.
 * usage: main.ts [NAME…] [--out FOLDER] [--seconds SECONDS]   all of them, or those that are named. Each prints its
 * table. --out also writes what it measured to FOLDER/NAME.json; --seconds is for a try, of each load.
 */
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { LabError } from '../src/lib/errors.ts'
import { tool } from '../src/lib/paths.ts'
import { articles, type Measured } from './articles.ts'

const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, seconds: { type: 'string' } },
  allowPositionals: true,
})
const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
const unknown = positionals.find((name) => !(name in articles))
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('Interrupted.')))

try {
  if (unknown !== undefined) throw new Error(`Expected names of ${Object.keys(articles).join(', ')}, got ${unknown}.`)
  for (const name of positionals.length > 0 ? positionals : Object.keys(articles)) {
    const measured = await measure(name)
    console.log(`\n${articles[name]!.table(measured.rows)}\n`)
    if (values.out !== undefined) await writeFile(join(values.out, `${name}.json`), JSON.stringify(measured))
  }
} catch (error) {
  console.error((error as Error).message)
  if (error instanceof LabError) console.error([error.hint, ...error.log].filter(Boolean).join('\n'))
  process.exitCode = 1
}

async function measure(name: string): Promise<Measured> {
  const { question, measure } = articles[name]!
  console.log(`${name}: ${question}`)
  const measured: Measured = {
    article: name,
    command: `make articles NAME=${name}`,
    startedAt: Date.now(),
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memory: totalmem() },
    loadAverage: Number(loadavg()[0]!.toFixed(2)),
    versions: { node: process.version.slice(1), k6: await versionOfK6() },
    rows: [],
  }
  for await (const row of measure({ signal: stop.signal, seconds })) {
    console.log(`  ${row.configuration}, ${row.work}: ${row.atLeast ? 'at least ' : ''}${row.rate.toFixed(1)}/s`)
    measured.rows.push(row)
  }
  return measured
}

async function versionOfK6(): Promise<string> {
  const { stdout } = await execa(tool('k6'), ['version'])
  return /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'unknown'
}
