/**
 * How long until n8n serves its first webhook, on one CPU? In turn, so that a busier minute meets all alike.
 * node test/bench/start.ts [ROUNDS]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { render } from '../../loadtests/src/chart/render.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { findWorkflow } from '../../loadtests/src/workload/open.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import { span } from './span.ts'

const [rounds = '5'] = process.argv.slice(2)
const tiers = ['n8n-defaults', 'tuned', 'lean', 'patched']
const workflow = await findWorkflow('ping-webhook', { file: '', line: null })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const target = await localTarget(processGenerator)
const logs = await mkdtemp(join(tmpdir(), 'n8n-tuned-start-'))

async function start(tier: string): Promise<{ seconds: number; cpu: number }> {
  const plan = await render({
    image: { tag: '2.41.1' },
    tuning: { tier },
    main: { resources: { limits: { cpu: '1', memory: '1Gi' } } },
  })
  let begun = 0
  const running = await target.up(plan, {
    workflows: [workflow],
    logs,
    signal: stop.signal,
    onProgress() {},
    onEvent: ({ kind, at }) => void (kind === 'started' && (begun = at)),
  })
  const seconds = (Date.now() - begun) / 1000
  const { cpuSeconds } = await running.processes[0]!.usage()
  await running.down()
  return { seconds, cpu: cpuSeconds ?? NaN }
}

console.log(`load average ${loadavg()[0]!.toFixed(2)}, ${rounds} rounds, n8n 2.41.1, SQLite, 1 CPU, 1 GiB`)
try {
  // What is imported once is kept: the first start pays for it, and is left out.
  await start('tuned')
  const starts = new Map(tiers.map((tier) => [tier, [] as { seconds: number; cpu: number }[]]))
  for (let round = 0; round < Number(rounds); round++)
    for (const tier of tiers) starts.get(tier)!.push(await start(tier))
  console.table(
    Object.fromEntries(
      [...starts].map(([tier, all]) => [
        tier,
        {
          'seconds to the first answer': span(
            all.map(({ seconds }) => seconds),
            2,
          ),
          'seconds of CPU': span(
            all.map(({ cpu }) => cpu),
            2,
          ),
        },
      ]),
    ),
  )
} finally {
  await target.close()
  await rm(logs, { recursive: true, force: true })
}
