import { isDeath } from '../model/event.ts'
import type { Cause } from '../model/answer.ts'
import type { Result } from '../model/result.ts'
import type { Bottleneck } from '../model/step.ts'
import { isStore, roleOf } from './roles.ts'
import { medianKnown } from './statistics.ts'

/** What limits a result, by all that was seen of it: its steps, what its processes used, and the estimate. */
export function causeOf(result: Result): Cause | null {
  const { verdict, capacity, cpuPerRequest, outside } = result
  // Of what broke nowhere, no limit was seen.
  if (verdict.reasons.length === 0 && !capacity?.estimate) return null
  const named = codeOf(result)
  if (!named) return null
  const { demand = null, throughput = null, share = null } = capacity?.estimate ?? {}
  const cpu = demand?.cpu ?? medianKnown(cpuPerRequest)
  // Of one core, what it can do follows from what each execution takes of it.
  const most = throughput ?? (named.code === 'one-core' && cpu ? 1 / cpu : null)
  return {
    ...named,
    at: verdict.at,
    cpu,
    most,
    share: share ?? (most && capacity ? Math.min(1, capacity.rate / most) : null),
    waited: outside?.perRequest?.waited ?? null,
  }
}

type Named = Pick<Cause, 'code' | 'process'>

const of = (code: Cause['code'], process: string | null = null): Named => ({ code, process })

/** Causes before their consequences, as in the steps. Pauses go before the CPU that they take. */
function codeOf(result: Result): Named | null {
  const { reasons } = result.verdict
  const codes = reasons.map(({ code }) => code)
  const signs = result.capacity?.estimate?.signs ?? []
  if (codes[0] === 'generator-behind') return of('generator')
  if (codes.includes('machine-busy')) return of('machine')
  if (codes.some((code) => code !== 'crashed' && isDeath(code))) return of('memory')
  if (signs.includes('pauses')) return of('pauses')
  const seen = seenBy(result)
  const found = seen && byBottleneck(seen, result)
  if (found) return found
  if (waitsForServices(result)) return of('services')
  const busy = busiest(result)
  if (busy && busy.share >= queueing) return of(busy.limit < 1 ? 'cpu-limit' : 'one-core', busy.process)
  return byDemand(result) ?? (reasons.length > 0 ? of('unknown') : null)
}

/** What was in the way where it broke; else in any step that failed, the warm-up's among them. */
function seenBy({ verdict, steps }: Result): Bottleneck | null {
  const known = (all: { code: string; bottleneck?: Bottleneck }[]) =>
    all.flatMap(({ bottleneck }) => (bottleneck && bottleneck.code !== 'unknown' ? [bottleneck] : []))
  const all = [...known(verdict.reasons), ...known(steps.flatMap(({ reasons }) => reasons))]
  return all[0] ?? null
}

function byBottleneck({ code, process }: Bottleneck, result: Result): Named | null {
  switch (code) {
    case 'heap':
      return of('memory', process)
    case 'redis':
      return of('redis')
    case 'execution-list':
      return of('execution-list')
    case 'database-disk':
      return of('postgresql')
    case 'database-pool':
      return of('connections', process)
    case 'concurrency':
      return of('slots', process)
    case 'runner-slots':
      return of('runner')
    case 'services':
      return of('services')
    case 'others':
      return of('machine')
    case 'cores':
      return of('cores')
    case 'event-loop':
      return of('one-core', process)
    case 'cpu-limit':
      return limited(process, result)
    case 'unknown':
      return null
  }
}

/** One core of a limit is all that n8n's one thread can use. */
function limited(process: string | null, { resources }: Result): Named {
  if (process !== null && isStore(process)) return of(process.startsWith('redis') ? 'redis' : 'postgresql', process)
  const limit = resources.find((one) => one.process === process)?.limit.cpu ?? null
  return of(process !== null && roleOf(process) && (limit ?? 1) >= 1 ? 'one-core' : 'cpu-limit', process)
}

/** Half of a request is spent elsewhere, at the highest rate that was tried. */
function waitsForServices({ outside, steps }: Result): boolean {
  const told = steps.filter(({ purpose, load }) => purpose === 'measure' && load.latency !== null)
  const [highest] = told.toSorted((a, b) => (b.load.rate ?? 0) - (a.load.rate ?? 0))
  const waited = outside?.perRequest?.waited ?? 0
  return highest !== undefined && waited >= highest.load.latency!.mean / 2
}

/** What the estimate says is full: CPU, unless it found that something else is. */
function byDemand({ capacity, resources }: Result): Named | null {
  const { cores = null, signs = [] } = capacity?.estimate ?? {}
  if (cores === null || signs.includes('not-cpu')) return null
  if (cores >= several) return of('cores')
  const [main] = resources.filter(({ process }) => roleOf(process))
  return of((main?.limit.cpu ?? 1) < 1 ? 'cpu-limit' : 'one-core', main?.process ?? null)
}

/** More than one thread, with its garbage collection, can use. */
const several = 1.4

/** On average over all steps, most of which are below the edge. */
const queueing = 0.45

function busiest({ resources }: Result) {
  return resources
    .flatMap(({ process, cpu, limit }) =>
      cpu && roleOf(process)
        ? [{ process, limit: limit.cpu ?? 1, share: Math.min(1, cpu.mean / Math.min(1, limit.cpu ?? 1)) }]
        : [],
    )
    .toSorted((a, b) => b.share - a.share)[0]
}
