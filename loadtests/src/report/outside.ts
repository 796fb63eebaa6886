import { paragraph, type Block, type Section } from './document.ts'
import { toHaveItWhole } from './bridge-words.ts'
import type { Page } from './page.ts'
import type { Summary } from '../model/summary.ts'
import { count, figure, latency, list, perSecond } from '../lib/figures.ts'
import { namesOf } from './names.ts'
import type { Result } from '../model/result.ts'

type Asking = Result & { outside: NonNullable<Result['outside']> }
type Count = Asking['outside']

/** What the workflows asked of others while something stood in for those. */
export function outside({ summary }: Page): Section | null {
  const told = [...toHaveItWhole(summary), ...outsideSentences(summary)]
  if (told.length === 0) return null
  const rows = outsideRows(summary)
  const table: Block[] = rows.length
    ? [{ kind: 'table', label: 'Each external call', columns: outsideHead, rows, on: ['markdown', 'html'] }]
    : []
  return {
    id: 'outside',
    title: 'Calls to external services',
    evidence: true,
    on: ['terminal', 'markdown', 'html'],
    blocks: [...told.map((text) => paragraph(text)), ...table],
  }
}

const outsideHead = ['Workflow', 'Configuration', 'Call', 'Times', 'Waited, p50 / p95', 'Answered by']

/** n8n's calls to other services, how often, and how long it waited; empty without a mock. */
export function outsideRows({ results }: Summary): string[][] {
  const name = namesOf(results)
  return results.filter(asks).flatMap((result) =>
    result.outside.calls.map(({ host, method, path, outcome, count: times, waited }) => [
      result.workflow,
      name(result),
      `${method} ${host}${path}`.trim(),
      count(times),
      `${latency(waited.p50)} / ${latency(waited.p95)}`,
      {
        answered: 'the mock',
        guessed: 'the mock, by a guess',
        passed: 'the real service, once',
        refused: 'nobody: refused',
      }[outcome],
    ]),
  )
}

/** Whether anything left the machine, which calls were refused, and what the mock cost. */
export function outsideSentences({ results }: Summary): string[] {
  const counts = results.filter(asks).map(({ outside }) => outside)
  return [...realSentences(results), ...splitSentences(results), ...(counts.length === 0 ? [] : toldOf(counts))]
}

const toldOf = (counts: Count[]) => [leaving(counts), ...guessed(counts), ...refused(counts), cost(counts)]

/** How real the figures are: the share of each workflow that ran. */
function realSentences(results: Result[]): string[] {
  const all = new Map(results.flatMap(({ realism = [] }) => realism.map((one) => [one.workflow, one] as const)))
  return [...all.values()].map(({ workflow, nodes, ran, untaken, ended }) => {
    const shown = untaken.slice(0, 5).join(', ') + (untaken.length > 5 ? ` and ${untaken.length - 5} more` : '')
    const branches = untaken.length ? ` Not taken: ${shown}.` : ''
    const stopped = ended ? '' : ' It stopped before any of its ends, so its main path did not run: unsure.'
    return `${workflow}: ${ran} of ${nodes} nodes ran in its first execution.${branches}${stopped}`
  })
}

/** Of a request's time, what n8n takes and what its services do, under the least load that was measured. */
function splitSentences(results: Result[]): string[] {
  const name = namesOf(results)
  const several = new Set(results.map(({ variant, cell }) => JSON.stringify([variant, cell]))).size > 1
  return results.filter(asks).flatMap((result) => {
    const { calls = 0, waited = 0 } = result.outside.perRequest ?? {}
    const least = result.steps
      .filter(({ purpose, load }) => purpose === 'measure' && load.latency !== null)
      .toSorted((a, b) => a.load.throughput - b.load.throughput)[0]
    if (!calls || !least) return []
    const taken = least.load.latency!.mean
    const what = several ? `${result.workflow} on ${name(result)}` : result.workflow
    const at = `${what}: at ${perSecond(least.load.throughput)} a request`
    const services = `${latency(waited)} for services, in ${figure(calls)} calls`
    return waited <= taken
      ? `${at} takes ${latency(taken)} on average. It waits ${services}; ${latency(taken - waited)} are n8n’s.`
      : `${at} is answered after ${latency(taken)} on average. `
          + `Its execution waits ${services}, at once or after the answer.`
  })
}

const asks = (result: Result): result is Asking => result.outside !== undefined

function leaving(counts: Count[]): string {
  const left = [...new Set(counts.flatMap((one) => one.left))]
  if (left.length > 0) return `Left the machine past the mock: connections to ${list(left)}.`
  const policies = counts.map(({ policy }) => policy).filter((policy) => policy !== undefined)
  if (policies.length > 0)
    return policies.every(Boolean)
      ? 'The cluster enforces a policy by which the pods of the run reach each other and ask for names, nothing else.'
      : 'Calls by the proxy went to the mock. No network policy stopped other connections.'
  const packets = counts.map(({ turnedAway }) => turnedAway)
  if (packets.includes(null)) return 'No real service was seen to be contacted; the lab looked once a second.'
  const sum = packets.reduce<number>((all, one) => all + one!, 0)
  const tried =
    sum === 0
      ? 'and nothing tried'
      : `and ${count(sum)} packets that tried were turned away: something does not go by the proxy`
  return `Nothing left the machine: n8n’s network had no way out, ${tried}.`
}

/** A figure rests on these answers too, and nobody has said that they are right. */
function guessed(counts: Count[]): string[] {
  const all = counts.flatMap(({ calls }) => calls)
  const calls = all.filter(({ outcome }) => outcome === 'guessed')
  if (calls.length === 0) return []
  const sum = (some: typeof all) => some.reduce((so, one) => so + one.count, 0)
  const hosts = [...new Set(calls.map(({ host }) => host))]
  const share = Math.max(1, Math.round((100 * sum(calls)) / sum(all)))
  return [
    `Guessed, by the method and what the workflow reads: the answers of ${list(hosts)}, ${share} % of all calls. Give `
      + 'rules with --outside FILE for answers that are right.',
  ]
}

function refused(counts: Count[]): string[] {
  const calls = counts.flatMap(({ calls: all }) => all).filter(({ outcome }) => outcome === 'refused')
  if (calls.length === 0) return []
  const hosts = [...Map.groupBy(calls, ({ host }) => host)].map(
    ([host, same]) => `${host} (${times(same.reduce((sum, one) => sum + one.count, 0))})`,
  )
  return [
    `Refused with 502, since no rule mocks it: ${list(hosts)}. Give rules with --outside FILE or `
      + 'under outside in the profile.',
  ]
}

const times = (number: number) => (number === 1 ? 'once' : `${count(number)} times`)

/** Above this share, its single thread limits the figures. */
const busy = 0.8

function cost(counts: Count[]): string {
  const calls = counts.flatMap((one) => one.calls).reduce((sum, one) => sum + one.count, 0)
  const seconds = counts.reduce((sum, { cpu }) => sum + cpu.seconds, 0)
  const peak = Math.max(...counts.map(({ cpu }) => cpu.peak))
  const took =
    `The mock answered ${count(calls)} calls in ${seconds.toFixed(1)} s of CPU, at most `
    + `${peak.toFixed(2)} of a core in any second`
  return peak > busy ? `${took}: it was a limit itself, and what n8n sustains is understated.` : `${took}.`
}
