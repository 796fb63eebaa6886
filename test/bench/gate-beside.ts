/**
 * Does the gate at a rate flag an n8n that takes 15 % more CPU, and pass the same thing twice? Real runs of `compare`:
 * three n8n side by side, the same twice and a slower one.
 * node test/bench/gate-beside.ts [TRIES]      by default 1, seven minutes each; on a quiet machine
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Summary } from '../../loadtests/src/analyse/summary.ts'
import { command } from '../support/command.ts'

const tries = Number(process.argv[2] ?? 1)
// Each n8n has a /tmp of its own.
const folder = await mkdtemp('/var/tmp/n8n-tuned-gate-')
const profile = join(folder, 'gate.yaml')
const slower = join(folder, 'slower.cjs')
const expected = { same: 'passed', slower: 'worse' }

await copyFile(join(import.meta.dirname, 'slower.cjs'), slower)
await writeFile(
  profile,
  stringify({
    name: 'gate',
    question: 'Does a request take more?',
    base: { image: { tag: '2.41.1' }, main: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
    variants: {
      before: {},
      same: {},
      slower: { main: { extraEnv: { NODE_OPTIONS: `--require=${slower}`, MORE: '0.15' } } },
    },
    workflows: ['ping-webhook'],
    load: { shape: 'constant', rate: 8, duration: '30s', timeout: '10s' },
    slo: { p95: '500ms', errors: '0.1%' },
    repeat: 5,
  }),
)

console.log(`load average ${loadavg()[0]!.toFixed(2)}, ${tries} tries`)
let right = 0
try {
  for (let round = 1; round <= tries; round++) {
    const { out, err } = await command(
      'compare',
      '--profile',
      profile,
      '--rate',
      '8',
      '--bound',
      'cpu=8%',
      '--json',
      '--out',
      join(folder, String(round)),
    )
    const { gate } = JSON.parse(out || '{}') as Partial<Summary>
    if (!gate?.verdicts.some(({ variant, measure }) => variant === 'slower' && measure === 'cpu')) throw new Error(err)
    for (const [variant, verdict] of Object.entries(expected)) {
      const cpu = gate.verdicts.find((one) => one.variant === variant && one.measure === 'cpu')
      right += Number(cpu?.verdict === verdict)
      console.log(`${round}. ${cpu?.verdict}${cpu?.verdict === verdict ? '' : `, expected ${verdict}`}. ${cpu?.text}`)
    }
    await rm(join(folder, String(round)), { recursive: true })
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`${right} of ${2 * tries} right`)
process.exitCode = right === 2 * tries ? 0 : 1
