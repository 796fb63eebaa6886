/**
 * Does the interval of a capacity hold the true one, on servers whose pace changes by a tenth? With the real k6, on a
 * quiet machine. Writes docs/evidence/intervals.md.
 * node test/bench/intervals.ts [POINT...]      by default all twenty
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeEnvironment } from '../../loadtests/src/run/environment.ts'
import { figure, percent } from '../../loadtests/src/lib/figures.ts'
import { root } from '../support/command.ts'
import { points, slo } from '../support/synthetic/points.ts'
import { syntheticTarget } from '../support/synthetic/target.ts'
import { inLanes } from './lanes.ts'
import { find, kneeOf } from './find.ts'

const noise = 0.1
const step = 10
const repeats = 3
/** Servers at once: most of these are idle most of the time, so k6's core has room for several. */
const lanes = { most: 4, rate: 1500 }

interface Row {
  text: string
  holds: boolean
  width: number | null
  seconds: number
}

async function row(point: number): Promise<Row> {
  const { kind, capacity } = points[point]!
  const say = (line: string) => console.log(`${capacity}/s ${line.trim()}`)
  const order = { kind, capacity, step, repeats, noise: { noise, seed: 1 + point * 100 }, say }
  const { summary, seconds } = await find(order)
  const interval = summary.results[0]!.capacity?.interval ?? null
  const knee = kneeOf(kind, capacity)
  const high = interval && (interval.high ?? Infinity)
  const holds = interval !== null && interval.low <= knee && knee <= high!
  const width = interval && interval.high && interval.high / interval.low - 1
  const between = interval ? `${figure(interval.low)} to ${interval.high ? figure(interval.high) : 'unknown'}/s` : '–'
  const cells = [kind, `${figure(knee)}/s`, `${figure(summary.results[0]!.capacity?.rate ?? 0)}/s`, between]
  const text = `| ${[...cells, width ? percent(width) : '–', holds ? 'yes' : '**no**', `${seconds} s`].join(' | ')} |`
  console.log(text)
  return { text, holds, width, seconds }
}

const { machine, versions, loadAverage } = await describeEnvironment(syntheticTarget('fixed', 1), {})
const asked = process.argv.slice(2).map(Number)
const chosen = asked.length ? asked : points.map((_, point) => point)
const begun = Date.now()
const rows = await inLanes(chosen.toReversed(), row, { ...lanes, rateOf: (point) => points[point]!.capacity })
const took = Math.round((Date.now() - begun) / 60_000)
const held = rows.filter(({ holds }) => holds).length
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const widths = rows.map(({ width }) => width ?? Infinity)

const text = `# Evidence: does the interval hold the true capacity?

For readers who doubt an interval: searches on servers whose capacity we know and whose pace changes.

**Of ${rows.length} intervals, ${held} hold the true capacity.** Their median width is ${percent(middle(widths))}, \
and a \
point took ${middle(rows.map(({ seconds }) => seconds))} s.

Each server is a bare Node process of [a known capacity](search.md). Its pace changes after one second to two minutes,
with a standard deviation of ${percent(noise)}: n8n on a shared machine does the same. The real k6 drives it with p95 \
≤ \
${slo.p95} ms, in
steps of ${step} s and ${repeats} repeats. The interval is the one that \`check\` prints, meant to be right
19 times in 20.

| Server | Its capacity | Found | Interval | Width | Holds it | Time |
| --- | --- | --- | --- | --- | --- | --- |
${rows
  .toReversed()
  .map((one) => one.text)
  .join('\n')}

A dash stands for an interval that is not known: in one repeat no rate surely held, or none surely broke. Up to \
${lanes.most} servers ran at once,
${took} minutes in all.

One repeat says nothing about the next one: in half of the tries or more, its interval misses the true capacity. The \
interval
of three repeats holds it in at least nine of ten. \`test/loadtests/run/intervals.test.ts\` fails if that is not so. \
The lab calls
one repeat one run.

\`make bench-intervals\`, ${new Date().toISOString().slice(0, 10)} · node ${versions.node}, k6 ${versions.k6} · \
${machine!.cpu}, ${machine!.cores} cores · load average before ${loadAverage[0]}
`
if (asked.length === 0) await writeFile(join(root, 'docs/evidence/intervals.md'), text)
console.log(text)
process.exitCode = held / rows.length >= 0.9 ? 0 : 1
