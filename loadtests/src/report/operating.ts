import type { Summary } from '../model/summary.ts'
import { count, duration, figure, latency, list, memory, percent, plusMinus, perSecond } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'
import { choiceFor, workflowsOf } from './choice.ts'
import { namesOf } from './names.ts'
import { isAlone } from './sentences.ts'
import type { Growth, Held, Operating, Soak, Thirds } from '../model/operating.ts'

/** What to run each workflow's choice at, and what was seen when that was held; none where nothing was searched for. */
export function operatingSentences(summary: Summary): string[] {
  const name = namesOf(summary.results)
  const workflows = workflowsOf(summary)
  return workflows.flatMap((workflow) => {
    const result = choiceFor(workflow, summary)
    if (result?.soak) return soaked(result.soak)
    if (!result?.operating) return []
    const what = isAlone(summary) ? 'it' : name(result)
    return said(`Run ${what}${workflows.length > 1 ? ` under ${workflow}` : ''} at`, result.operating)
  })
}

function said(run: string, { rate: at, share, held, costOfMillion }: Operating): string {
  const cost = costOfMillion === null ? [] : [`A million executions cost ${figure(costOfMillion)} at that rate.`]
  const of = share === 1 ? 'its safe rate' : `${percent(share)} of its safe rate`
  if (!held)
    return [
      `${run} up to ${perSecond(at)}, ${of}. \`${typed.lab} check --hold 15m\` shows whether it lasts.`,
      ...cost,
    ].join(' ')
  if (!held.holds) {
    const why = held.reasons.map(({ text }) => text).join(' ')
    return [
      `${run} less than ${perSecond(at)}: ${of} did not hold for minutes. ${why}`,
      ...grown(held, at),
      ...opened(held),
    ].join(' ')
  }
  return [
    `${run} up to ${perSecond(at)}, ${of}.`,
    seen(held),
    ...grown(held, at),
    ...opened(held),
    ...stored(held),
    ...cost,
  ].join(' ')
}

function soaked({ rate: at, held }: Soak): string {
  const sustained = `It sustained ${perSecond(at)} for ${duration(held.seconds * 1000)} with ${answers(held)}.`
  return [sustained, ...grown(held, at), ...opened(held)].join(' ')
}

const seen = (held: Held): string => `It held that for ${duration(held.seconds * 1000)} with ${answers(held)}.`

function answers({ p95, backlogGrowth }: Held): string {
  const latencies = p95 === null ? [] : [`p95 at ${latency(p95)}`]
  const backlog = backlogGrowth === null ? [] : [`a backlog that grew by ${percent(Math.max(0, backlogGrowth))}`]
  return list([...latencies, ...backlog])
}

/** Less is what V8 and the allocator do by themselves: in one look at minutes, and as a slope by the hour. */
const steady = 0.05
const steadyAnHour = 0.01

/** From the second third of that time to the last. */
function grown({ memory: all, seconds }: Held, rate: number): string[] {
  const [own, buffers] = [all.filter((each) => !isPostgresql(each)), all.filter(isPostgresql)]
  const filling = buffers.filter(rises).map((each) => `${change(each)}: PostgreSQL fills its shared buffers.`)
  const rising = own.filter(rises)
  const garbage = rising.filter((each) => isGarbage(each, seconds))
  const growing = rising.filter((each) => !garbage.includes(each))
  const steadily = growing.length ? [] : own.filter((each) => !garbage.includes(each))
  return [
    ...(growing.length
      ? [`Memory still grew: ${few(growing, change)}. Hold it for longer before you rely on it.`]
      : []),
    ...growing.flatMap((each) => keptOf(each, rate * seconds)),
    ...(steadily.length ? [`Memory stayed as it was: ${few(steadily, change)}.`] : []),
    ...garbage.map((each) => `${change(each)}: garbage, which V8 collects before its heap is full.`),
    ...filling,
  ]
}

/** A longer list is not read. */
const mostNamed = 6

/** Those that grew most, where there are many. */
function few<One extends Thirds>(all: One[], told: (one: One) => string): string {
  if (all.length <= mostNamed) return list(all.map(told))
  const byGrowth = all.toSorted((a, b) => b.last / b.second - a.last / a.second)
  return `${byGrowth.slice(0, mostNamed).map(told).join(', ')} and ${all.length - mostNamed} more, which grew less`
}

/** PostgreSQL reads and writes through buffers of a fixed size, which fill with the data that it meets. */
const isPostgresql = ({ process }: Growth) => process.startsWith('postgresql-')

const rises = ({ second, last, slope }: Growth) =>
  slope ? slope.perHour - slope.within > steadyAnHour : last > (1 + steady) * second

/** Whether memory grew although the heap keeps no more, and nothing outside the heap grew. */
function isGarbage({ second, outside, keptHeap }: Growth, seconds: number): boolean {
  if (!outside || !keptHeap) return false
  const keptAnHour = ((keptHeap.after - keptHeap.before) / second) * (3600 / seconds)
  return keptAnHour <= steadyAnHour && outside.perHour - outside.within <= steadyAnHour
}

/** What a collection does not free, by the request. */
function keptOf({ process, keptHeap }: Growth, requests: number): string[] {
  const more = keptHeap ? keptHeap.after - keptHeap.before : 0
  if (more < minimum) return []
  return [`The heap of ${process} keeps ${memory(more)} more than before, ${figure(more / requests)} bytes a request.`]
}

function change({ process, second, last, slope, heap, keptHeap }: Growth): string {
  const added = heap && heap.last - heap.second
  const pace = slope && slope.within > 0 && `${plusMinus(100 * slope.perHour, 100 * slope.within)} % an hour`
  const inside = added && last - second > minimum && `${memory(Math.max(0, added))} of it in the heap`
  const mayRise = slope && slope.perHour + slope.within > steadyAnHour
  const kept =
    mayRise
    && keptHeap
    && `the heap without garbage ${memory(keptHeap.before)} before the load, ${memory(keptHeap.after)} after it`
  const more = [pace, inside, kept].filter(Boolean).join(', ')
  return `${process} ${memory(second)} to ${memory(last)}${more && ` (${more})`}`
}

/** Bytes. Below it, where memory grew says nothing. */
const minimum = 8 * 2 ** 20

/** What a process opens and does not close, and what Redis keeps. */
function opened({ memory: all, keys }: Held): string[] {
  const files = all.flatMap(({ process, files: own }) => (own ? [{ process, ...own }] : []))
  const leaking = files.filter(leaks)
  return [
    ...(leaking.length ? [`Open files and connections still grew: ${few(leaking, fromTo)}.`] : []),
    ...(files.length && !leaking.length ? [`Open files and connections did not grow: ${few(files, fromTo)}.`] : []),
    ...(keys ? [`Redis had ${count(keys.second)} keys, then ${count(keys.last)}.`] : []),
  ]
}

/** Connections come and go with the load: a few more are no leak. */
const leaks = ({ second, last }: Thirds) => last > 1.05 * second + 10

const fromTo = ({ process, second, last }: Thirds & { process: string }) =>
  `${process} ${count(second)} to ${count(last)}`

function stored({ database }: Held): string[] {
  if (!database) return []
  const { bytesOfDay, keptOfDay, transactions } = database
  return [
    `A day at that rate adds ${memory(Math.max(0, bytesOfDay))} to the database before n8n prunes, and `
      + `${count(Math.round(Math.max(0, keptOfDay)))} executions to the history.`,
    ...(transactions === null ? [] : [`An execution takes ${figure(transactions)} database transactions.`]),
  ]
}
