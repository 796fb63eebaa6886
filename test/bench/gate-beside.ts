/**
 * Does the gate at a rate flag an n8n that takes 15 % more CPU, and pass the same thing twice? Real runs of `compare`:
 * three n8n side by side, the same twice and a slower one. Adds each try to docs/evidence/gate.ndjson, and writes
 * docs/evidence/gate.md from all of them.
 * node test/bench/gate-beside.ts [TRIES]      so many more, by default 10; up to 15 minutes each, on a quiet machine;
 *                                             0 writes the page anew
 */
import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'
import { describeEnvironment } from '../../loadtests/src/run/environment.ts'
import { plusOrMinus, roughly } from '../../loadtests/src/lib/figures.ts'
import { command, root } from '../support/command.ts'
import { points } from '../support/synthetic/points.ts'
import { syntheticTarget } from '../support/synthetic/target.ts'
import type { GateVerdict } from '../../loadtests/src/model/gate.ts'

const tries = Number(process.argv[2] ?? 10)
const tag = '2.41.1'
const [rate, step, more, bound] = [8, 30, 0.15, 0.08]
// Each n8n has a /tmp of its own.
const folder = await mkdtemp('/var/tmp/n8n-tuned-gate-')
const profile = join(folder, 'gate.yaml')
const slower = join(folder, 'slower.cjs')
const kinds = { slower: `${more * 100} % more CPU`, same: 'the same n8n' }

await copyFile(join(import.meta.dirname, 'slower.cjs'), slower)
await writeFile(
  profile,
  stringify({
    name: 'gate',
    question: 'Does a request take more?',
    base: { image: { tag }, main: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
    variants: {
      before: {},
      same: {},
      slower: { main: { extraEnv: { NODE_OPTIONS: `--require=${slower}`, MORE: String(more) } } },
    },
    workflows: ['ping-webhook'],
    load: { shape: 'constant', rate, duration: `${step}s`, timeout: '10s' },
    slo: { p95: '500ms', errors: '0.1%' },
  }),
)

interface Attempt {
  at: string
  /** The machine's processor. */
  cpu: string
  /** The load average before it; null if it was not written down. */
  load: number | null
  minutes: number
  rounds: number
  verdicts: Record<keyof typeof kinds, Pick<GateVerdict, 'verdict' | 'change' | 'within'>>
}

async function attempt(round: number): Promise<Attempt> {
  const out = join(folder, String(round))
  // How long a try takes is up to the CPU alone.
  const bounds = ['--rate', String(rate), '--bound', `cpu=${bound * 100}%,memory=50%`]
  const begun = Date.now()
  const [load] = loadavg()
  const run = await command('compare', '--profile', profile, ...bounds, '--json', '--out', out)
  const minutes = (Date.now() - begun) / 60_000
  const { gate, results = [] } = JSON.parse(run.out || '{}') as Partial<WrittenSummary>
  const of = (variant: string) =>
    gate?.verdicts.find((one) => one.variant === variant && (one.measure === 'cpu' || one.measure === 'capacity'))
  const [same, slow] = [of('same'), of('slower')]
  if (!same || !slow) throw new Error(run.err)
  await rm(out, { recursive: true })
  console.log(`${slow.text} ${same.text}`)
  const kept = ({ verdict, change, within }: GateVerdict) => ({ verdict, change, within })
  return {
    at: new Date(begun).toISOString().slice(0, 16),
    cpu: machine!.cpu,
    load: load!,
    minutes: Number(minutes.toFixed(1)),
    rounds: results[0]!.cpuPerRequest.length,
    verdicts: { same: kept(same), slower: kept(slow) },
  }
}

const inWords = ({ verdict, change, within }: Attempt['verdicts']['same']) =>
  `${verdict}, ${change! < 0 ? '−' : '+'}${roughly(Math.abs(change!))} ${plusOrMinus(within)}`
const count = (all: Attempt[], kind: keyof typeof kinds, verdict: GateVerdict['verdict']) =>
  all.filter(({ verdicts }) => verdicts[kind].verdict === verdict).length

const { machine, versions } = await describeEnvironment(syntheticTarget(points[0]!.of), { n8n: tag }, null)
function page(attempts: Attempt[]): string {
  const rows = attempts.map(
    ({ at, minutes, rounds, verdicts: { same, slower: slow } }) =>
      `| ${at.replace('T', ' ')} | ${inWords(slow)} | ${inWords(same)} | ${rounds} | ${minutes} min |`,
  )
  const loads = attempts.flatMap(({ load }) => load ?? [])
  const flagged = count(attempts, 'slower', 'worse')
  return `# Evidence: does the gate flag what is worse?

For readers who want to let the gate decide about a release: real tries on n8n ${tag}.

**Of ${attempts.length} n8n that took ${kinds.slower} for each request, the gate called ${flagged} worse, \
${count(attempts, 'slower', 'unsure')} unsure and ${count(attempts, 'slower', 'passed')} passed. Of \
${attempts.length} tries with
${kinds.same}, it called ${count(attempts, 'same', 'worse')} worse, ${count(attempts, 'same', 'unsure')} unsure and \
${count(attempts, 'same', 'passed')} passed.**

| Try, UTC | ${kinds.slower} | ${kinds.same} | Rounds | Time |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The figures are the change of CPU for each request with its 95 % interval. Three n8n ran side by side at ${rate}/s of
\`ping-webhook\`, in rounds of ${step} s. A module that the slower one loads computes for ${more * 100} % of the time \
that the process
used. The bound is ${bound * 100} %. As by default, the gate took rounds until it was sure, for 15 minutes at most. \
Memory had
a bound of 50 %, in the first try 15 %: so CPU alone decides how long a try takes. The figures of the second to the \
fourth
try were written down from what the command printed.

How the gate decides: [Compare](../comparing.md#compare-how-the-gate-decides).

\`make bench-gate-beside\` · node ${versions.node}, k6 ${versions.k6} · \
${[...new Set(attempts.map(({ cpu }) => cpu))].join(', ')}, ${machine!.cores} cores · load average before the tries \
${Math.min(...loads).toFixed(2)} to ${Math.max(...loads).toFixed(2)}
`
}

const record = join(root, 'docs/evidence/gate.ndjson')
const attempts = (await readFile(record, 'utf8').catch(() => ''))
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Attempt)
try {
  for (let round = 1; round <= tries; round++) {
    const one = await attempt(round)
    attempts.push(one)
    await appendFile(record, `${JSON.stringify(one)}\n`)
    console.log(`${round}. ${one.minutes} min, ${one.rounds} rounds`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await writeFile(join(root, 'docs/evidence/gate.md'), page(attempts))
}
const right = count(attempts, 'slower', 'worse') >= 0.8 * attempts.length && count(attempts, 'same', 'worse') === 0
process.exitCode = right ? 0 : 1
