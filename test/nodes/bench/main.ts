/** How well Load Target does what it is told, and what it costs beyond that: writes docs/evidence/load-target.md. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import { versions } from '../../support/runtime.ts'
import { measureAccuracy } from './accuracy.ts'
import { measureOverhead } from './overhead.ts'
import { misses, render } from './page.ts'

const root = resolve(import.meta.dirname, '../../..')
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
const machine = { cpu: cpus()[0]!.model, cores: cpus().length, load: loadavg()[0]!, commit }

const accuracy = []
const overhead = []
for (const version of versions) {
  accuracy.push(...(await measureAccuracy(version)))
  console.table(accuracy.filter((row) => row.version === version))
  overhead.push(...(await measureOverhead(version)))
  console.table(overhead.filter((row) => row.version === version))
}

const page = render(machine, accuracy, overhead)
writeFileSync(resolve(root, 'docs/evidence/load-target.md'), page)
const missed = misses(accuracy, overhead)
for (const one of missed) console.error(one)
process.exitCode = missed.length ? 1 : 0
