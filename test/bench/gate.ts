/**
 * Does the gate flag a capacity that is 15 % lower, and pass the same thing twice? Real runs of `compare` on
 * a small n8n under real CPU limits, in turn.
 * node test/bench/gate.ts [TRIES]      of each kind, by default 10; on a quiet machine
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'
import { exitCodes } from '../../loadtests/src/lib/errors.ts'
import { commandWith } from '../support/command.ts'
import { plantSmallN8n, smallN8n } from '../support/small-n8n/plant.ts'

const tries = Number(process.argv[2] ?? 10)
const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-gate-'))

const cache = join(folder, 'cache')
plantSmallN8n(cache)
const limitedTo = (cpu: number) => ({ main: { resources: { limits: { cpu: `${Math.round(cpu * 1000)}m` } } } })

/** What has a limit of so much CPU and is never idle sustains so much less with less of it. */
const before = 0.4
const kinds = [
  { name: '15 % less', cpu: before * 0.85, expected: exitCodes.missed },
  { name: 'the same', cpu: before, expected: exitCodes.met },
]

async function attempt(name: string, cpu: number): Promise<{ exit: number; text: string }> {
  const profile = join(folder, 'gate.yaml')
  await writeFile(
    profile,
    stringify({
      name: 'gate',
      question: 'Did it get worse?',
      base: { image: { tag: smallN8n } },
      variants: { before: limitedTo(before), after: limitedTo(cpu) },
      workflows: ['ping-webhook'],
      load: { shape: 'closed', vus: 8, duration: '5s' },
      repeat: 3,
    }),
  )
  const { exit, out, err } = await commandWith(
    { N8N_TUNED_CACHE: cache },
    'compare',
    '--profile',
    profile,
    '--bound',
    'capacity=8%',
    '--json',
    '--out',
    join(folder, name),
  )
  await rm(join(folder, name), { recursive: true, force: true })
  const { gate } = JSON.parse(out || '{}') as Partial<WrittenSummary>
  return { exit, text: gate?.verdicts.find(({ measure }) => measure === 'capacity')?.text ?? err }
}

console.log(`load average ${loadavg()[0]!.toFixed(2)}, ${tries} tries of each kind`)
let right = 0
try {
  for (let round = 1; round <= tries; round++) {
    for (const { name, cpu, expected } of kinds) {
      const { exit, text } = await attempt(`${round}-${expected}`, cpu)
      right += Number(exit === expected)
      console.log(`${round}. ${name}: exit code ${exit}${exit === expected ? '' : `, expected ${expected}`}. ${text}`)
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`${right} of ${kinds.length * tries} right`)
process.exitCode = right === kinds.length * tries ? 0 : 1
