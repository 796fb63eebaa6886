import { setTimeout } from 'node:timers/promises'
import { invalid } from '../src/lib/errors.ts'
import { driveStep } from '../src/load/k6.ts'
import type { Generator } from '../src/load/generator.ts'
import type { RunningProcess, Usage } from '../src/n8n/running.ts'

/** What one configuration answered, and what each of its processes took for it. */
export interface Row {
  configuration: string
  /** What a request asks for. */
  work: string
  /** Requests a second, and the milliseconds within which 95 % of them were answered. */
  rate: number
  /** The generator was the limit: it may be more. */
  atLeast: boolean
  p95: number
  failed: number
  processes: ProcessRow[]
}

export interface ProcessRow {
  name: string
  /** Requests that it answered; null for what only passes them on. */
  requests: number | null
  /** Cores, on average, and the cores that it was allowed. */
  cpu: number | null
  limit: number | null
  /** Bytes, on average and at most. */
  memory: number | null
  peak: number | null
  /** At each second. */
  course: number[]
}

/** A process under load. */
export interface Watched extends Pick<RunningProcess, 'name' | 'limits' | 'usage'> {
  /** How many requests it has answered; absent where it only passes them on. */
  answered?(): Promise<number | null>
}

export interface ClosedLoad {
  url: string
  clients: number
  seconds: number
  /** Seconds that a client waits for an answer. */
  timeout: number
  generator: Generator
  processes: Watched[]
  signal: AbortSignal
}

/** A generator that uses this share of its core is the limit itself. */
const busy = 0.9
const every = 1000

/** Clients that ask as fast as they are answered. */
export async function measure(
  { url, clients, seconds, timeout, generator, processes, signal }: ClosedLoad,
  named: Pick<Row, 'configuration' | 'work'>,
): Promise<Row> {
  const before = await Promise.all(processes.map(({ answered }) => answered?.() ?? null))
  const watching = watch(processes)
  const load = await driveStep(
    { url, method: 'GET', timeout, duration: seconds, shape: { kind: 'closed', vus: clients } },
    { generator, p95: Infinity, signal },
  )
  const used = await watching.end()
  const after = await Promise.all(processes.map(({ answered }) => answered?.() ?? null))
  if (load.throughput === 0)
    throw invalid(
      'nothing-answered',
      `Expected ${named.configuration} to answer requests to ${url}, got none that was answered in ${seconds} s.`,
      'Run the command again. If it happens again, nothing listens there: this is a defect of the experiment.',
    )
  return {
    ...named,
    rate: load.throughput,
    atLeast: (load.generatorCpu ?? 0) > busy,
    p95: load.latency?.p95 ?? NaN,
    failed: Object.values(load.failures).reduce((all, many) => all + many, 0),
    processes: processes.map(({ name, limits }, index) => ({
      name,
      requests: after[index] === null ? null : after[index]! - (before[index] ?? 0),
      limit: limits.cpu,
      ...used[index]!,
    })),
  }
}

/** Looks at each process every second. */
function watch(processes: Watched[]) {
  const looks: { at: number; usages: Usage[] }[] = []
  const abort = new AbortController()
  const looking = (async () => {
    while (!abort.signal.aborted) {
      looks.push({ at: performance.now() / 1000, usages: await Promise.all(processes.map(({ usage }) => usage())) })
      await setTimeout(every, undefined, { signal: abort.signal }).catch(() => {})
    }
  })()
  return {
    async end(): Promise<Pick<ProcessRow, 'cpu' | 'memory' | 'peak' | 'course'>[]> {
      abort.abort()
      await looking
      return processes.map((_, index) => {
        const rss = looks.flatMap(({ usages }) => usages[index]!.rss ?? [])
        const counted = looks.filter(({ usages }) => usages[index]!.cpuSeconds !== null)
        const [first, last] = [counted[0], counted.at(-1)]
        const elapsed = first && last ? last.at - first.at : 0
        return {
          cpu: elapsed > 0 ? (last!.usages[index]!.cpuSeconds! - first!.usages[index]!.cpuSeconds!) / elapsed : null,
          memory: rss.length ? rss.reduce((sum, bytes) => sum + bytes, 0) / rss.length : null,
          peak: rss.length ? Math.max(...rss) : null,
          course: rss,
        }
      })
    },
  }
}
