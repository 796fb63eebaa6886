/**
 * Does the search find the capacity of servers that are made of one? With the real k6, on a quiet machine.
 * node test/bench/search.ts [POINT...]      by default all, and a server that is faster than k6
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodeFor } from '../../loadtests/src/cli/measure.ts'
import { describeEnvironment } from '../../loadtests/src/run/environment.ts'
import { figure } from '../../loadtests/src/lib/figures.ts'
import { root } from '../support/command.ts'
import { points, search, slo } from '../support/synthetic/points.ts'
import { syntheticTarget } from '../support/synthetic/target.ts'
import { find, kneeOf } from './find.ts'

const { machine, versions, loadAverage } = await describeEnvironment(syntheticTarget('fixed', 1), {})
const asked = process.argv.slice(2).map(Number)
const tooFast = await find({ kind: 'fixed', capacity: 50_000 })
const exit = exitCodeFor(tooFast.summary.results)
console.log(`faster than k6: exit code ${exit} after ${tooFast.seconds} s`)
const rows: string[] = []
let worst = 0
for (const { kind, capacity } of asked.length ? asked.map((point) => points[point]!) : points.toReversed()) {
  const { summary, seconds } = await find({ kind, capacity })
  const [result] = summary.results
  const found = result!.capacity?.rate ?? 0
  const knee = kneeOf(kind, capacity)
  const error = found / knee - 1
  worst = Math.max(worst, Math.abs(error))
  rows.push(
    `| ${kind} | ${figure(knee)}/s | ${figure(found)}/s | ${(error * 100).toFixed(1)} % | `
      + `${result!.steps.filter(({ purpose }) => purpose === 'measure').length} | ${seconds} s |`,
  )
  console.log(rows.at(-1))
}
const text = `# Evidence: does the search find the true capacity?

For readers who doubt a capacity: the search against servers whose capacity we know.

**Over ${rows.length} servers of known capacity, the largest error is ${(worst * 100).toFixed(1)} %.** \
Each is a bare Node process that carries a certain rate at p95 ≤ ${slo.p95} ms and no more. The real
k6 drives it, and the search is that of the profile \`check\`: \
steps of ${search.step} s, precision ${search.precision * 100} %.

| Server | Its capacity | Found | Error | Steps | Time |
| --- | --- | --- | --- | --- | --- |
${rows.toReversed().join('\n')}

A server faster than k6 (50,000/s) ends with exit code ${exit} after ${tooFast.seconds} s. The lab says why:

> ${tooFast.summary.results[0]!.verdict.reasons[0]?.text ?? 'nothing was said of the generator'}

- *fixed*: serves one request after the other, each of the same length.
- *leak*: always answers in time, and finishes its executions one after the other. \
The rest becomes a backlog, and the objective allows 5 % of the requests as backlog. So its
  capacity is its throughput divided by 0.95.
- *cliff*: like fixed, but when more than a tenth of a second of work waits, every request takes 3 s.
- *exponential*: serves one request after the other, with exponentially distributed lengths. \
Below 17/s, three minutes hold too few requests to tell 5 %.

\`make bench-search\`, ${new Date().toISOString().slice(0, 10)} · node ${versions.node}, k6 ${versions.k6} · \
${machine!.cpu}, ${machine!.cores} cores · load average before ${loadAverage[0]}
`
if (asked.length === 0) await writeFile(join(root, 'docs/evidence/search.md'), text)
else console.log(text)
process.exitCode = worst <= 0.05 && exit === 4 ? 0 : 1
