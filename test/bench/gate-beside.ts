/**
 * Does the gate at a rate flag an n8n that takes 15 % more CPU, and pass the same thing twice? Real runs of `compare`:
 * three n8n side by side, the same twice and a slower one. Writes docs/evidence/gate.md.
 * node test/bench/gate-beside.ts [TRIES]      by default 10, about six minutes each; on a quiet machine
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { GateVerdict, Summary } from '../../loadtests/src/analyse/summary.ts'
import { describeEnvironment } from '../../loadtests/src/run/environment.ts'
import { plusOrMinus, roughly } from '../../loadtests/src/support/figures.ts'
import { command, root } from '../support/command.ts'
import { syntheticTarget } from '../support/synthetic/target.ts'

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
  minutes: number
  rounds: number
  verdicts: Record<keyof typeof kinds, GateVerdict>
}

async function attempt(round: number): Promise<Attempt> {
  const out = join(folder, String(round))
  const bounds = ['--rate', String(rate), '--bound', `cpu=${bound * 100}%`]
  const begun = Date.now()
  const run = await command('compare', '--profile', profile, ...bounds, '--json', '--out', out)
  const minutes = (Date.now() - begun) / 60_000
  const { gate, results = [] } = JSON.parse(run.out || '{}') as Partial<Summary>
  const of = (variant: string) =>
    gate?.verdicts.find((one) => one.variant === variant && (one.measure === 'cpu' || one.measure === 'capacity'))
  const [same, slow] = [of('same'), of('slower')]
  if (!same || !slow) throw new Error(run.err)
  await rm(out, { recursive: true })
  return { minutes, rounds: results[0]!.cpuPerRequest.length, verdicts: { same, slower: slow } }
}

const told = ({ verdict, change, within }: GateVerdict) =>
  `${verdict}, ${change! < 0 ? '−' : '+'}${roughly(Math.abs(change!))} ${plusOrMinus(within)}`
const count = (all: Attempt[], kind: keyof typeof kinds, verdict: GateVerdict['verdict']) =>
  all.filter(({ verdicts }) => verdicts[kind].verdict === verdict).length

const { machine, versions, loadAverage } = await describeEnvironment(syntheticTarget('fixed', 1), { n8n: tag })
console.log(`load average ${loadAverage[0]}, ${tries} tries`)
const attempts: Attempt[] = []
try {
  for (let round = 1; round <= tries; round++) {
    const one = await attempt(round)
    attempts.push(one)
    const { same, slower: slow } = one.verdicts
    console.log(`${round}. ${one.minutes.toFixed(1)} min, ${one.rounds} rounds. ${slow.text} ${same.text}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

const rows = attempts.map(
  ({ minutes, rounds, verdicts: { same, slower: slow } }, index) =>
    `| ${index + 1} | ${told(slow)} | ${told(same)} | ${rounds} | ${minutes.toFixed(1)} min |`,
)
const flagged = count(attempts, 'slower', 'worse')
const text = `# Evidence: does the gate flag what is worse?

For readers who want to let the gate decide about a release: real tries on n8n ${tag}.

**Of ${tries} n8n that took ${kinds.slower} for each request, the gate called ${flagged} worse, \
${count(attempts, 'slower', 'unsure')} unsure and ${count(attempts, 'slower', 'passed')} passed. Of ${tries} tries with
${kinds.same}, it called ${count(attempts, 'same', 'worse')} worse, ${count(attempts, 'same', 'unsure')} unsure and \
${count(attempts, 'same', 'passed')} passed.**

| Try | ${kinds.slower} | ${kinds.same} | Rounds | Time |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The figures are the change of CPU for each request with its 95 % interval. Three n8n ran side by side at ${rate}/s of
\`ping-webhook\`, in rounds of ${step} s. A module that the slower one loads computes for ${more * 100} % of the time that the process
used. The bound is ${bound * 100} %, and the gate took rounds until it was sure, for 15 minutes at most, as by default.

How the gate decides: [How comparisons decide](../comparing.md#compare-the-gate).

\`make bench-gate-beside\`, ${new Date().toISOString().slice(0, 10)} · node ${versions.node}, k6 ${versions.k6} · \
${machine!.cpu}, ${machine!.cores} cores · load average before ${loadAverage[0]}
`
if (tries >= 10) await writeFile(join(root, 'docs/evidence/gate.md'), text)
console.log(text)
process.exitCode = flagged >= 0.8 * tries && count(attempts, 'same', 'worse') === 0 ? 0 : 1
