/**
 * How much memory does n8n hold under the same load? From a fresh start each time, in turn.
 * node test/bench/memory.ts [ROUNDS]   VARIANTS: others than those below, as JSON: name → Helm values
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { render } from '../../loadtests/src/chart/render.ts'
import { driveStep } from '../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { findWorkflow } from '../../loadtests/src/workload/open.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import { span } from './span.ts'

const [rounds = '3'] = process.argv.slice(2)
const tiers = ['n8n-defaults', 'tuned', 'lean', 'patched'].map((tier) => [tier, { tuning: { tier } }])
const variants: Record<string, object> = process.env.VARIANTS
  ? JSON.parse(process.env.VARIANTS)
  : Object.fromEntries(tiers)
/** What n8n's defaults sustain with ease, on one CPU. */
const loads = [
  { workflow: 'ping-webhook', rate: 12 },
  { workflow: 'expression-webhook', rate: 8 },
]
const seconds = 40
const idle = 10_000

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const target = await localTarget(processGenerator)
const logs = await mkdtemp(join(tmpdir(), 'n8n-tuned-memory-'))

async function measure(
  values: object,
  load: (typeof loads)[number],
): Promise<{ ready: number; idle: number; loaded: number }> {
  const workflow = await findWorkflow(load.workflow, { file: '', line: null })
  const plan = await render({
    image: { tag: '2.41.1' },
    main: { resources: { limits: { cpu: '1', memory: '1Gi' } } },
    ...values,
  })
  const running = await target.up(plan, {
    workflows: [workflow],
    logs,
    signal: stop.signal,
    onProgress() {},
    onEvent() {},
  })
  const [main] = running.processes
  const held = async () => (await main!.usage()).rss! / 2 ** 20
  let highest = 0
  let looking: NodeJS.Timeout | undefined
  try {
    const ready = await held()
    await sleep(idle, undefined, { signal: stop.signal })
    const rested = await held()
    looking = setInterval(async () => (highest = Math.max(highest, await held())), 500)
    const { accepted, requests } = await driveStep(
      {
        url: running.url + workflow.webhook.path,
        method: workflow.webhook.method,
        timeout: 30,
        duration: seconds,
        shape: { kind: 'constant', rate: load.rate },
      },
      { generator: target.generator, p95: 500, signal: stop.signal },
    )
    if (accepted < requests)
      throw new Error(`Expected every one of ${requests} requests to be answered, got ${accepted}.`)
    return { ready, idle: rested, loaded: highest }
  } finally {
    clearInterval(looking)
    await running.down()
  }
}

console.log(
  `load average ${loadavg()[0]!.toFixed(2)}, ${rounds} rounds, n8n 2.41.1, SQLite, 1 CPU, 1 GiB; MiB `
    + `resident: ready, after ${idle / 1000} idle seconds, and at most in ${seconds} s of load`,
)
try {
  const seen = Object.keys(variants).flatMap((variant) =>
    loads.map((load) => ({ variant, load, all: [] as Awaited<ReturnType<typeof measure>>[] })),
  )
  for (let round = 0; round < Number(rounds); round++)
    for (const { variant, load, all } of seen) all.push(await measure(variants[variant]!, load))
  console.table(
    seen.map(({ variant, load, all }) => ({
      variant,
      load: `${load.workflow} at ${load.rate}/s`,
      ready: span(
        all.map(({ ready }) => ready),
        0,
      ),
      idle: span(
        all.map(({ idle }) => idle),
        0,
      ),
      loaded: span(
        all.map(({ loaded }) => loaded),
        0,
      ),
    })),
  )
} finally {
  await target.close()
  await rm(logs, { recursive: true, force: true })
}
