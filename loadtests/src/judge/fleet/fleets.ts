import type { Values } from '../../model/experiment.ts'
import { partNames, type Part } from '../../model/fleet.ts'
import { inTurn } from '../../model/samples.ts'
import type { Sample } from '../../model/sample.ts'
import { reasonMeaning, type HeldStep, type Step } from '../../model/step.ts'
import type { FleetOf } from '../../model/summary.ts'
import type { Gathered } from '../gather.ts'
import { median, sum } from '../statistics.ts'
import { meanOf, openFigureTally } from '../tally.ts'
import { fleetFrom, type FleetLook, type PartUse } from './measured.ts'

/** What runs say of fleets: every n8n in queue mode, with all numbers of replicas that were measured. */
export function fleetsOf(all: Gathered[]): FleetOf[] {
  const alike = Map.groupBy(all.filter(inQueueMode), ({ variant, workflow }) => JSON.stringify([variant, workflow]))
  return [...alike.values()].flatMap((group) => {
    const looks = group.flatMap(looksAt)
    const fleet = looks.length ? fleetFrom(looks, { slots: slotsOf(group), outside: secondsOutside(group) }) : null
    if (!fleet) return []
    const [{ variant, workflow, values }] = group as [Gathered]
    return [{ variant, workflow, tag: tagOf(values), ...fleet }]
  })
}

export const saysQueueMode = (values: Values) => valueAt(values, 'executions.mode') === 'queue'
export const inQueueMode = ({ values }: Pick<Gathered, 'values'>) => saysQueueMode(values)
export const tagOf = (values: Gathered['values']) =>
  (valueAt(values, 'image.tag') as string | undefined)?.toString() ?? null

function valueAt(values: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], values)
}

/** The chart's default, where the values have none of their own. */
const usualSlots = 10

/** Where workers differ in their slots, nothing is known of one worker. */
function slotsOf(group: Gathered[]): number | null {
  const each = new Set(group.map(({ values }) => Number(valueAt(values, 'worker.concurrency') ?? usualSlots)))
  return each.size === 1 ? [...each][0]! : null
}

export function secondsOutside(group: Gathered[]): number | null {
  const waits = group.flatMap(({ outside, steps, held }) => {
    const accepted = sum([0, ...[...steps, ...held].map(({ load }) => load.accepted)])
    const waited = sum([
      0,
      ...outside.flatMap(({ calls }) => calls.map((call) => call.count * (call.waited.mean ?? 0))),
    ])
    return outside.length && accepted ? [waited / accepted / 1000] : []
  })
  return waits.length ? median(waits) : null
}

/** The growth of executions under way, as a share of those accepted, at which n8n no longer kept up. */
const behind = 0.05

/**
 * Steps in which what came was also done, in time or not. Nothing was killed, and the generator kept up. Callers
 * who wait for each other leave no backlog, whatever n8n's processes said of it.
 */
const tells = ({ purpose, accounting, reasons, load }: Step) =>
  purpose !== 'warm-up'
  && load.shape !== 'course'
  && (accounting.backlogGrowth ?? 0) <= behind
  && (accounting.finished ?? load.accepted) > 0
  && reasons.every(
    ({ code }) =>
      code === 'latency' || reasonMeaning(code).remedy === 'longer' || (code === 'silent' && load.shape === 'closed'),
  )

function looksAt(gathered: Gathered): FleetLook[] {
  const steps: (Step | HeldStep)[] = [...gathered.steps, ...gathered.held].filter(tells)
  const used = steps.map(() => new Map<string, ReturnType<typeof openLooks>>())
  const least = new Map<string, number>()
  for (const sample of inTurn(gathered.samples)) {
    const { process, cpu } = sample
    if (cpu !== null) least.set(process, Math.min(cpu, least.get(process) ?? Infinity))
    const nth = steps.findIndex(({ load }) => sample.at >= load.startedAt && sample.at <= load.endedAt)
    const own = used[nth]
    if (!own) continue
    const looks = own.get(sample.process) ?? openLooks()
    own.set(sample.process, looks)
    looks.add(sample)
  }
  return steps.flatMap((step, nth) => lookOf(step, used[nth]!, least, gathered) ?? [])
}

function openLooks() {
  const [cpu, rss, ran] = [openFigureTally(), openFigureTally(), openFigureTally()]
  const [pool, heap] = [openFigureTally(), openFigureTally()]
  return {
    add(sample: Sample): void {
      cpu.add(sample.cpu)
      rss.add(sample.rss)
      ran.add(sample.loop?.ran)
      pool.add(sample.pool?.max)
      heap.add(sample.heapUsed === null ? null : sample.heapUsed + (sample.external ?? 0))
    },
    heap,
    cpu,
    rss,
    ran,
    pool,
  }
}

/** An event loop that ran for less of the time says nothing about the threads beside it. */
const atWork = 0.2

function lookOf(
  step: Step | HeldStep,
  used: Map<string, ReturnType<typeof openLooks>>,
  least: Map<string, number>,
  of: Gathered,
): FleetLook | null {
  const { load, accounting, times } = step
  const seconds = (load.endedAt - load.startedAt) / 1000
  const parts: FleetLook['parts'] = {}
  for (const [part, names] of Map.groupBy(used.keys(), partOf)) {
    const own = names.map((name) => used.get(name)!)
    // A process whose CPU was not seen makes the sum of its part unknown.
    if (!part || own.some(({ cpu }) => cpu.count === 0)) continue
    const idlest = Math.min(...names.map((name) => least.get(name)!))
    parts[part] = together(own, idlest, of.limits[names[0]!])
  }
  if (!parts.worker || !parts.webhook) return null
  // Callers who wait for each other do not arrive at random, as the model has it.
  const waits = load.shape !== 'closed'
  const { latency } = load
  // Of those who wait for each other, the last answers come after the end.
  const rate = waits ? (accounting.finished ?? load.accepted) / seconds : load.throughput
  return {
    seconds,
    rate,
    parts,
    crowded: step.reasons.some(({ bottleneck }) => bottleneck?.code === 'cores'),
    latency: waits && latency ? { mean: latency.mean / 1000, p50: latency.p50 / 1000, p95: latency.p95 / 1000 } : null,
    ran: waits && times ? { p50: times.ran.p50 / 1000, p95: times.ran.p95 / 1000 } : null,
    heap: heapIn(
      [...used].flatMap(([name, { heap }]) => (partOf(name) === 'worker' && heap.count ? [heap] : [])),
      // Of callers at random, so many more than on average at some time.
      waits ? times && withChance(rate * (times.ran.p50 / 1000)) : load.vus,
    ),
    stores: {
      transactions: growth(of.database, step, ({ transactions }) => transactions),
      written: growth(of.database, step, ({ written }) => written),
      kept:
        'database' in step && step.database ? (step.database.after.bytes - step.database.before.bytes) / seconds : null,
      commands: growth(of.queue, step, ({ commands }) => commands),
      busy: atWorkIn(of, step),
    },
  }
}

const withChance = (underWay: number) => underWay + Math.sqrt(underWay)

function heapIn(workers: { min: number; max: number }[], underWay: number | null): FleetLook['heap'] {
  return workers.length && underWay
    ? {
        least: Math.min(...workers.map(({ min }) => min)),
        most: Math.max(...workers.map(({ max }) => max)),
        underWay: underWay / workers.length,
      }
    : null
}

function partOf(process: string): Part | undefined {
  if (process.endsWith('-runner')) return process.startsWith('worker-') ? 'runner' : undefined
  return partNames.find((part) => process.startsWith(`${part}-`))
}

function together(
  own: ReturnType<typeof openLooks>[],
  least: number,
  limit: Gathered['limits'][string] | undefined,
): PartUse {
  const peaks = own.filter(({ rss }) => rss.count > 0).map(({ rss }) => rss.max)
  const threads = own
    .filter(({ ran }) => ran.count > 0 && ran.mean >= atWork)
    .map(({ cpu, ran }) => cpu.mean / ran.mean)
  return {
    processes: own.length,
    used: sum(own.map(({ cpu }) => cpu.mean)),
    least,
    cpu: limit?.cpu ?? null,
    memory: limit?.memory ?? null,
    peak: peaks.length ? Math.max(...peaks) : null,
    threads: threads.length ? median(threads) : null,
    connections: meanOf(own[0]!.pool),
  }
}

/** Connections of n8n's that were at work in PostgreSQL, on average. */
function atWorkIn({ database }: Gathered, { load }: Step): number | null {
  const looks = database.filter(({ at }) => at >= load.startedAt && at <= load.endedAt)
  return looks.length ? sum(looks.map(({ active }) => active)) / looks.length : null
}

/** A second, of a count that only grows. */
function growth<Counted extends { at: number }>(
  all: Counted[],
  { load }: Step,
  of: (one: Counted) => number | undefined,
): number | null {
  const counted = all.filter((one) => one.at >= load.startedAt && one.at <= load.endedAt && of(one) !== undefined)
  const [first, last] = [counted[0], counted.at(-1)]
  // One that is smaller than before has been restarted.
  if (!first || !last || last.at - first.at < 1000 || of(last)! < of(first)!) return null
  return ((of(last)! - of(first)!) / (last.at - first.at)) * 1000
}
