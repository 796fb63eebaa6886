import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { status, until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { commandWith, root } from './command.ts'
import { startN8n } from './n8n.ts'
import { random } from './random.ts'
import type { Made } from './synthetic/servers.ts'

/** Somebody's n8n with a caller of its own, and the lab that is told to load it with far more than it sustains. */

export interface Neighbours {
  seed: number
  /** In a folder of the test. */
  folder: string
  /** Requests a second of the other caller. */
  others: number
  arrivals: 'random' | 'even'
  /** `n8n`: a real one that executes cpu-webhook. */
  server: Made | 'n8n'
  /** What the lab is asked for. */
  load: string
  /** Milliseconds. */
  p95?: number
}

export interface Told {
  exit: number
  err: string
  out: string
  result: Summary['results'][number]
  /** The other caller's 95th percentile, before the load and from its beginning to its end. */
  before: number
  during: number
  refused: number
  /** Requests that the server saw from the lab. */
  seconds: number
}

export async function besideOthers(asked: Neighbours): Promise<Told> {
  const { seed, folder, server, others, load, p95 = 500 } = asked
  const { url, path, workflow, stop } = await (server === 'n8n' ? startReal() : startMade(server, seed))
  try {
    if (!(await until(async () => (await status(`${url}/metrics`)) === 200, { timeout: 60_000, every: 50 })))
      throw new Error('Expected the server to answer, got nothing')
    const caller = startCaller(`${url}${path}`, others, asked.arrivals, seed)
    await setTimeout(beforeFor)
    const began = Date.now()
    const name = `neighbours-${seed}`
    const profile = join(folder, `${name}.yaml`)
    await writeFile(
      profile,
      `name: ${name}\nquestion: Does it?\nworkflows: [${workflow}]\nload: ${load}\nslo: { p95: ${p95}ms }\n`,
    )
    const out = join(folder, name)
    const said = await commandWith({}, 'check', '--target', url, '--yes', '--profile', profile, '--out', out)
    const ended = Date.now()
    await caller.stop()
    const of = (from: number, to: number) => caller.calls.filter(({ at }) => at >= from && at < to)
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
    return {
      ...said,
      result: summary.results[0]!,
      before: percentile(of(0, began).map(({ taken }) => taken)),
      during: percentile(of(began, ended).map(({ taken }) => taken)),
      refused: caller.calls.filter(({ ok }) => !ok).length,
      seconds: (ended - began) / 1000,
    }
  } finally {
    await stop()
  }
}

interface Started {
  url: string
  /** What the other caller asks for. */
  path: string
  workflow: string
  stop: () => Promise<void>
}

async function startReal(): Promise<Started> {
  const { url, stop } = await startN8n('2.41.1', [join(root, 'workflows/cpu-webhook.json')])
  return { url, path: '/webhook/cpu', workflow: 'cpu-webhook', stop }
}

async function startMade(server: Made, seed: number): Promise<Started> {
  const [port] = (await freePorts(1)) as [number]
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      join(root, 'test/support/synthetic/serve.ts'),
      String(port),
      JSON.stringify(server),
      '0',
      String(seed),
    ],
    { stdio: 'inherit' },
  )
  return {
    url: `http://127.0.0.1:${port}`,
    path: '',
    workflow: 'ping-webhook',
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const beforeFor = 20_000

const percentile = (all: number[]) => all.toSorted((a, b) => a - b)[Math.ceil(0.95 * all.length) - 1]!

interface Call {
  at: number
  taken: number
  ok: boolean
}

/** Calls at a rate, whether or not earlier calls were answered. */
function startCaller(url: string, rate: number, arrivals: 'random' | 'even', seed: number) {
  const next = random(seed + 1000)
  const calls: Call[] = []
  const open = new Set<Promise<void>>()
  let stopped = false
  const call = async () => {
    const at = Date.now()
    const ok = await fetch(url)
      .then(async (response) => response.ok && (await response.text()) !== null)
      .catch(() => false)
    calls.push({ at, taken: Date.now() - at, ok })
  }
  const running = (async () => {
    for (
      let due = Date.now();
      !stopped;
      due += arrivals === 'even' ? 1000 / rate : (-1000 / rate) * Math.log(1 - next())
    ) {
      await setTimeout(Math.max(0, due - Date.now()))
      const own = call()
      open.add(own)
      void own.finally(() => open.delete(own))
    }
  })()
  return {
    calls,
    async stop() {
      stopped = true
      await running
      await Promise.all(open)
    },
  }
}
