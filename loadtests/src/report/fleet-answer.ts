import {
  demandOf,
  ratesWhenFull,
  inSteps,
  mainCpu,
  rateWithin,
  stated,
  throughputOf,
  type Between,
} from '../judge/fleet/model.ts'
import { connectionsOf, regularIsEnough, regularSize, roomFor, storeCores, type Wanted } from '../judge/fleet/plan.ts'
import { count, figure, latency, memory, percent, perSecond } from '../lib/figures.ts'
import { isOwnPrice } from '../model/experiment.ts'
import type { Size } from '../model/fleet.ts'
import type { FleetOf } from '../model/summary.ts'
import { costInWords, partWords } from './fleet-figures.ts'
import { sureSize, type FleetPlan } from './fleet-plan.ts'

/** The answer of `size`: how many of what, what they sustain, and what ends it. */

/** Of the embedded database, for how long a disk lasts. */
const disk = 20 * 1e9
const day = 86_400

export function answerInWords(planned: FleetPlan): string | null {
  const { fleet, wanted, regular } = planned
  const size = regular ? regularSize : sureSize(planned)
  if (!size) return null
  const { workflow, tag, variant } = fleet
  // Of a run that measured both modes, each is named after its mode.
  const own = variant === 'queue' || variant === 'regular' ? [] : [variant]
  const which = [...(tag === null ? [] : [tag]), ...own, regular ? 'regular mode' : 'queue mode']
  const asked = `${perSecond(wanted.rate)} of "${workflow}" with p95 ≤ ${latency(wanted.p95 * 1000)}`
  const title = `${asked} (${which.join(', ')})`
  const lines = regular ? inRegularMode(fleet, wanted) : inQueueMode(planned, size)
  const cost = costInWords(fleet, size, wanted.rate, isOwnPrice(wanted.price) ? wanted.price : null)
  return [title, ...lines, ...(regular ? [] : [`Cost: ${cost}`])].join('\n  ')
}

/** Of the rate that holds: as likely as not, and the ends of what is known. */
function sustained(fleet: FleetOf, size: Size, { p95 }: Wanted): string {
  const within = (sure: keyof Between) => rateWithin(fleet, size, p95, sure)
  return `${perSecond(within('middle'))} (${figure(within('high'))} to ${figure(within('low'))})`
}

const cpu = (cores: number) => `${figure(cores)} CPU`

function inRegularMode(fleet: FleetOf, wanted: Wanted): string[] {
  return [
    `1 n8n × ${cpu(regularSize.workerCpu)}, ${memory(regularSize.workerMemory)}   `
      + `sustains ${sustained(fleet, regularSize, wanted)}`,
    'Queue mode would bring updates without a failed request, and room to grow.',
  ]
}

function inQueueMode({ fleet, wanted }: FleetPlan, size: Size): string[] {
  const { rate } = wanted
  const middle = (worker: number) => rateWithin(fleet, { ...size, worker }, wanted.p95)
  const [first] = ratesWhenFull(fleet, size)
  const webhook = demandOf(fleet, 'webhook')!
  const connections = connectionsOf(fleet, size)
  const { transactions, kept } = fleet.execution
  const [postgresql, redis] = [storeCores(fleet, 'postgresql', rate), storeCores(fleet, 'redis', rate)]
  const slots = fleet.slots === null ? '' : `, concurrency ${fleet.slots}`
  const gibibyte = size.workerMemory ? `, ${memory(size.workerMemory)}` : ''
  const left = [
    `${some(size.worker, 'worker')} × ${cpu(size.workerCpu)}${gibibyte}${slots}`,
    `${some(size.webhook, 'webhook processor')}, ${webhook.cpu === null ? 'no CPU limit' : cpu(webhook.cpu)}; `
      + `main, ${cpu(mainCpu(fleet, size, rate))}`,
  ]
  const full = first ? partWords[first.what] : 'nothing that was measured'
  const right = [
    `sustain ${sustained(fleet, size, wanted)}   full first: ${full}`,
    `next worker: ${perSecond(middle(size.worker + 1))}`,
  ]
  const width = Math.max(...left.map(({ length }) => length)) + 3
  const stores = [
    ...(postgresql === null ? [] : [`${figure(inSteps(postgresql))} cores`]),
    ...(transactions === null ? [] : [`${count(Math.round(transactions * rate))} transactions/s`]),
    ...(connections === null ? [] : [`${connections} connections`]),
    ...(kept === null || kept <= 0 ? [] : [keptInWords(kept * rate * day)]),
  ]
  const lost = size.worker > 1 ? middle(size.worker - 1) : 0
  const spare = lost >= rate ? '' : `, so ${size.worker + 1} if that must hold`
  return [
    ...left.map((text, nth) => `${text.padEnd(width)}${right[nth]}`),
    `PostgreSQL ${stores.join(', ') || 'not measured'}`,
    `Redis ${redis === null ? 'not measured' : `${figure(inSteps(redis))} cores`} · one worker lost: ${
      size.worker > 1 ? perSecond(lost) : 'nothing runs until it is back'
    }${spare}`,
    ...(fleet.slots === null ? [] : [whyConcurrency(fleet, size)]),
    ...(regularIsEnough(fleet, wanted)
      ? ['One n8n in regular mode would do, too, but each update would interrupt it.']
      : []),
    ...(rate > stated * throughputOf(fleet, size).middle
      ? [`The rate is above ${percent(stated)} of what fills this fleet, where chance decides: add one worker.`]
      : []),
  ]
}

/** What goes wrong with more executions at once, and with fewer. */
function whyConcurrency(fleet: FleetOf, size: Size): string {
  const { held, slots, heap } = fleet
  if (heap && slots === roomFor(fleet, size))
    return (
      `Concurrency ${slots}: an execution holds ${memory(heap.each)}, and the heap of a worker has room for no more. `
      + 'With more memory, a worker may run more.'
    )
  return held > 0
    ? `Concurrency ${slots}: an execution waits for ${latency(held * 1000)}. Fewer idle a worker, more take memory.`
    : `Concurrency ${slots}: executions only compute. More at once are each slower, and sustain nothing more.`
}

function keptInWords(bytes: number): string {
  const days = disk / bytes
  const prune = Math.max(1, Math.floor(days / 2))
  return `${figure(bytes / 1e9)} GB a day: 20 GB are full in ${figure(days)} days (prune after ${prune})`
}

const some = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
