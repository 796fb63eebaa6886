/**
 * Does the interval of a capacity hold the true one, for callers who come at random? Made kinds of n8n, the lab's own
 * search. Writes docs/evidence/intervals.md.
 *
 * test/bench/answer.ts [seeds]         simulated steps: every kind, 100 s and 40 s of load, and pairs in turns.
 *
 * test/bench/answer.ts k6 [KIND...]    behind the real k6, on a machine that does nothing else.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capacityOf } from '../../loadtests/src/judge/capacity.ts'
import { summarise } from '../../loadtests/src/judge/summarise.ts'
import { figure, percent } from '../../loadtests/src/lib/figures.ts'
import type { RunRecord } from '../../loadtests/src/model/record.ts'
import type { Capacity } from '../../loadtests/src/model/result.ts'
import type { Comparison } from '../../loadtests/src/model/summary.ts'
import { comparisonInWords } from '../../loadtests/src/report/comparison-words.ts'
import { driveLoad, drivePaired } from '../../loadtests/src/run/drive-load.ts'
import { cell, end, run } from '../loadtests/fixtures/records.ts'
import { root } from '../support/command.ts'
import { madeKinds } from '../support/synthetic/kinds.ts'
import { machine, type Machine } from '../support/synthetic/machine.ts'
import { search, slo } from '../support/synthetic/points.ts'
import { simulate } from '../support/synthetic/simulate.ts'
import { find } from './find.ts'
import { inLanes } from './lanes.ts'

const [way = '2', ...named] = process.argv.slice(2)
const kinds = Object.entries(madeKinds)

interface Found {
  kind: string
  likeN8n: boolean
  holds: boolean
  width: number
  rate: number
  signs: string[]
}

function foundIn(kind: string, capacity: Capacity | null): Found {
  const { truth, likeN8n = false } = madeKinds[kind]!
  const interval = capacity?.interval
  const high = interval?.high ?? Infinity
  return {
    kind,
    likeN8n,
    holds: !!interval && interval.low <= truth && truth <= high,
    width: interval ? high / interval.low - 1 : Infinity,
    rate: capacity?.rate ?? 0,
    signs: capacity?.estimate?.signs ?? ['nothing held'],
  }
}

const started = (of: Partial<Machine>, seed: number) =>
  simulate((clock) => machine(of)(clock, 31 * seed), slo, { arrivals: 'random', seed })

async function simulated(kind: string, seed: number, budget: number): Promise<Found> {
  const { measure, samples, steps } = started(madeKinds[kind]!.of, seed)
  await driveLoad({ ...search, budget, precision: 0.02 }, measure, { samples, slo })
  const found = foundIn(kind, capacityOf('search', steps, { samples, slo }))
  console.log([budget, kind, seed, found.holds, figure(found.rate), percent(found.width), ...found.signs].join(' · '))
  return found
}

async function behindK6(kind: string): Promise<Found> {
  const { of } = madeKinds[kind]!
  const { summary } = await find({ of: { kind: 'machine', of }, budget: 100, precision: 0.02, say: () => {} })
  const found = foundIn(kind, summary.results[0]!.capacity)
  console.log([kind, found.holds, figure(found.rate), percent(found.width), ...found.signs].join(' · '))
  return found
}

/** What the lab says of two, after 100 s of load in turns; the second needs so many times the CPU. */
async function compared(kind: string, seed: number, times: number): Promise<Comparison> {
  const { of } = madeKinds[kind]!
  const records: RunRecord[] = [run({ experiment: { slo } }), cell(0, variants[0]), cell(1, variants[1])]
  for (const [nth, demand] of [1, times].entries()) {
    // One machine: what else is on it slows both at the same time.
    const made = started(
      { ...of, demand: (of.demand ?? 0.06) * demand, swingFrom: (0.618 * seed) % 1 },
      seed + 500 * nth,
    )
    await drivePaired({ ...search, budget: 50 }, made.measure, { samples: made.samples, slo })
    made.steps.forEach((step, turn) => records.push({ type: 'step', at: step.load.endedAt, cell: nth, turn, ...step }))
    for (const sample of made.samples) records.push({ type: 'sample', cell: nth, ...sample })
  }
  const summary = summarise([...records, end()])
  const one = summary.comparison[0]!
  console.log([times, kind, seed, one.finding, one.by ?? '', comparisonInWords(one, summary)].join(' · '))
  return one
}

const variants = [{ variant: 'n8n-defaults' }, { variant: 'tuned' }]

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const isTold = ({ finding }: Comparison) => finding === 'better' || finding === 'worse'
const shareOf = (all: boolean[]) => all.filter(Boolean).length / all.length

function lineOf(text: string, all: Found[]): string {
  const n8n = all.filter(({ likeN8n }) => likeN8n)
  const width = (some: Found[]) => (some.length ? percent(middle(some.map((one) => one.width))) : '–')
  const cells = [text, all.length, percent(shareOf(all.map(({ holds }) => holds))), width(all), width(n8n)]
  return `| ${cells.join(' | ')} |`
}

async function simulatedPage(seeds: number): Promise<void> {
  const at = async (budget: number) => {
    const all: Found[] = []
    for (const [kind] of kinds) for (let seed = 1; seed <= seeds; seed++) all.push(await simulated(kind, seed, budget))
    return all
  }
  const [hundred, forty] = [await at(100), await at(40)]
  const pairs = { same: [] as Comparison[], other: [] as Comparison[] }
  for (const [kind, { likeN8n }] of kinds)
    for (let seed = 1; likeN8n && seed <= 5 * seeds; seed++) {
      pairs.same.push(await compared(kind, seed, 1))
      pairs.other.push(await compared(kind, seed, 1.15))
    }
  const rows = kinds.map(([kind, { truth }]) => {
    const own = hundred.filter((one) => one.kind === kind)
    const signs = [...new Set(own.flatMap((one) => one.signs))]
    const cells = [kind, `${figure(truth)}/s`, own.map(({ rate }) => figure(rate)).join(', ')]
    const held = `${own.filter(({ holds }) => holds).length} of ${own.length}`
    const width = percent(middle(own.map((one) => one.width)))
    return `| ${[...cells, width, held, signs.join(', ') || '–'].join(' | ')} |`
  })
  const page = `# Evidence: does the interval of a capacity hold the true one?

For readers who doubt a capacity: the lab's own search on made kinds of n8n, whose capacity for random callers we know.

| Load | Searches | Hold the truth | Median width | Of kinds like n8n |
| --- | --- | --- | --- | --- |
${lineOf('100 s', hundred)}
${lineOf('40 s', forty)}

Two of the same kind like n8n, loaded in turns for 100 s in all, are called different in \
${percent(shareOf(pairs.same.map(isTold)))} of ${pairs.same.length} pairs. Where one needs 15 % more CPU, it is \
called worse in ${percent(shareOf(pairs.other.map(({ finding }) => finding === 'worse')))} of ${pairs.other.length}.

The 100 s one by one. Width is upper end ÷ lower end − 1. The objective is p95 within ${slo.p95} ms.

| Kind | True | Found | Width | Holds it | Signs |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

- The steps are simulated: the search, the accounting and the verdict are the lab's own, k6 and the clock are not.
  \`test/bench/answer.ts k6\` does the same with both real.
- The kinds are simulated a millisecond at a time by a program that knows nothing of the model that is fitted
  (\`test/support/synthetic/machine.ts\`). What is true comes from hours of the same in another program.

\`make bench-answer\`, ${new Date().toISOString().slice(0, 10)}
`
  await writeFile(join(root, 'docs/evidence/intervals.md'), page)
  console.log(page)
}

if (way === 'k6') {
  const chosen = named.length ? named : kinds.map(([kind]) => kind)
  const all = await inLanes(chosen, behindK6, { most: 3, rate: 60, rateOf: (kind) => madeKinds[kind]!.truth })
  console.log(lineOf('100 s behind k6', all))
} else await simulatedPage(Number(way))
