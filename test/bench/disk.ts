/**
 * How much does n8n carry on a slow disk? Twenty callers, each asking again when it is answered; from a fresh start each
 * time, in turn.
 * node test/bench/disk.ts [ROUNDS]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { render } from '../../loadtests/src/chart/render.ts'
import { driveStep } from '../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { findWorkflow } from '../../loadtests/src/workload/find.ts'
import { localTarget } from '../../loadtests/src/target/local/local.ts'
import { span } from './span.ts'

const [rounds = '2'] = process.argv.slice(2)
const variants = { 'as n8n has it': { sharedSyncs: false }, sharedSyncs: {}, rareSyncs: { rareSyncs: true } }
/** What each sync takes longer than this machine's disk. */
const delays = [0, 2, 5]
const warmUp = 15
const seconds = 20

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const workflow = await findWorkflow('ping-webhook', { file: '', line: null })
const target = await localTarget(processGenerator)
// n8n has a /tmp of its own here.
const folder = await mkdtemp('/var/tmp/n8n-tuned-disk-')

async function slowDisk(): Promise<string> {
  const library = join(folder, 'slow-disk.so')
  await execa('cc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dirname, 'slow-disk.c'), '-ldl'])
  return library
}

async function measure(tuning: object, delay: number, library: string): Promise<number> {
  const extraEnv = { LD_PRELOAD: library, SLOW_DISK_MS: String(delay) }
  const plan = await render({ image: { tag: '2.41.1' }, tuning, main: { resources: { limits: { cpu: '1', memory: '1Gi' } }, extraEnv } })
  const running = await target.up(plan, { workflows: [workflow], balancer: 'node', logs: folder, signal: stop.signal, onProgress() {}, onEvent() {} })
  const drive = (duration: number) => driveStep(
    { url: running.url + workflow.webhook.path, method: workflow.webhook.method, timeout: 30, duration, shape: { kind: 'closed', vus: 20 } },
    { generator: target.generator, p95: 500, signal: stop.signal },
  )
  try {
    await drive(warmUp)
    const { accepted, requests, throughput } = await drive(seconds)
    if (accepted < requests) throw new Error(`Expected every one of ${requests} requests to be answered, got ${accepted}.`)
    return throughput
  } finally {
    await running.down()
  }
}

console.log(`load average ${loadavg()[0]!.toFixed(2)}, ${rounds} rounds, n8n 2.41.1, SQLite, 1 CPU, 1 GiB; ping-webhook answered a second in ${seconds} s, after ${warmUp} s of the same`)
try {
  const library = await slowDisk()
  const seen = delays.flatMap((delay) => Object.keys(variants).map((variant) => ({ delay, variant: variant as keyof typeof variants, all: [] as number[] })))
  for (let round = 0; round < Number(rounds); round++) for (const { delay, variant, all } of seen) all.push(await measure(variants[variant], delay, library))
  console.table(delays.map((delay) => ({
    'each sync': `${delay} ms more`,
    ...Object.fromEntries(seen.filter((cell) => cell.delay === delay).map(({ variant, all }) => [variant, span(all, 0)])),
  })))
} finally {
  await target.close()
  await rm(folder, { recursive: true, force: true })
}
