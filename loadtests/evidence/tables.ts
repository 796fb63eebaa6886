import { compare } from '../src/judge/comparison.ts'
import { fitScaling } from '../src/judge/scaling.ts'
import { max, min } from '../src/judge/statistics.ts'
import type { Summary, WrittenSummary } from '../src/model/summary.ts'
import { comparisonInWords } from '../src/report/comparison-words.ts'
import {
  editorsHead,
  editorsRows,
  historyHead,
  historyRows,
  schedulesHead,
  schedulesRows,
} from '../src/report/in-use.ts'
import { moment } from '../src/report/environment.ts'
import { brokeBy } from '../src/report/labels.ts'
import { namesOf } from '../src/report/names.ts'
import { short, signOf } from '../src/report/reason-words.ts'
import { peakMemory } from '../src/report/peak.ts'
import { whyRecommended } from '../src/report/recommended.ts'
import { table } from '../src/report/print/markdown.ts'
import { count, figure, latency, memory, perSecond, roughly } from '../src/lib/figures.ts'
import type { Environment } from '../src/model/environment.ts'
import type { Resources, Result } from '../src/model/result.ts'
import { rateAt } from '../src/model/scaling.ts'
import { ReasonCode, reasonMeaning } from '../src/model/step.ts'

/** The tables that a page can ask for. */
export const tables: Record<string, (summary: Summary, ...others: Summary[]) => string> = {
  results,
  worths,
  agreement,
  ratios,
  answers,
  scaling,
  roles,
  histories,
  editors,
  schedules,
  sizing,
}

/** Every reason why a step does not hold. */
export function reasonsTable(): string {
  const says = { missed: 'n8n missed the objective', spoiled: 'nothing of n8n', unknown: 'not known' }
  const more = { quiet: 'the same on a quiet machine', again: 'the same again', longer: 'a longer step' }
  return table(
    ['Code', 'In the report', 'What it says', 'What tells more', 'What you see of it'],
    ReasonCode.options.map((code) => {
      const { means, remedy } = reasonMeaning(code)
      return [code, short(code), says[means], remedy ? more[remedy] : '–', signOf(code) ?? '–']
    }),
  )
}

function results(summary: Summary): string {
  const name = namesOf(summary.results)
  return table(
    ['Workflow', 'Configuration', 'Sustains', 'Spread', 'p95', 'Broke first by', 'Peak memory'],
    summary.results.map((result) => [
      result.workflow,
      name(result),
      result.capacity ? perSecond(result.capacity.rate) : '–',
      spreadOf(result),
      result.capacity?.p95 == null ? '–' : latency(result.capacity.p95),
      brokeBy(result) ?? '–',
      peakMemory(result) ?? '–',
    ]),
  )
}

/** The same profile on several targets. */
function agreement(...summaries: Summary[]): string {
  const sustains = ({ results: [result] }: Summary): number => result!.capacity?.rate ?? NaN
  const reference = sustains(summaries[0]!)
  return table(
    ['Where', 'Sustains', 'of the first', 'p95', 'Broke first by'],
    summaries.map((summary) => {
      const result = summary.results[0]!
      return [
        summary.environment.engine ?? summary.environment.limits,
        perSecond(sustains(summary)),
        `${figure((sustains(summary) / reference) * 100)} %`,
        latency(result.capacity?.p95 ?? NaN),
        brokeBy(result) ?? '–',
      ]
    }),
  )
}

/** Said anew, so that a kept run claims no more than the lab would today. */
function ratios(summary: Summary): string {
  // Turns of earlier versions do not say when they were.
  const results = summary.results.map((one) => ({ ...one, turns: one.turns?.filter(({ at }) => at !== undefined) }))
  return compare(results, summary.experiment.variants, summary.experiment.slo)
    .map((one) => `- ${one.workflow}: ${comparisonInWords(one, summary)}`)
    .join('\n')
}

/** The worth of each setting that was left out, in the words of the version that measured it. */
function worths({ worth }: Summary): string {
  return table(
    ['Workflow', 'Setting', 'Worth'],
    (worth as WrittenSummary['worth']).map(({ workflow, setting, text }) => [
      workflow,
      setting,
      text.slice(`${setting}: `.length),
    ]),
  )
}

/** What the database held before the load. */
function histories(...summaries: Summary[]): string {
  return table(historyHead, summaries.flatMap(historyRows))
}

/** What open editors cost beside the same load without them, and what was in the way. */
function editors(...summaries: Summary[]): string {
  const causes = summaries.flatMap(({ results }) =>
    results.map(({ variant, verdict: { reasons } }) => {
      const [found] = reasons.flatMap((reason) => ('bottleneck' in reason ? [reason.bottleneck!] : []))
      const broke = reasons.map(({ code }) => short(code)).join(', ') || 'held'
      return `- ${variant}: ${found?.what || broke}`
    }),
  )
  return `${table(editorsHead, summaries.flatMap(editorsRows))}\n\n${causes.join('\n')}`
}

/** What scheduled workflows did, and what callers felt beside them. */
function schedules(...summaries: Summary[]): string {
  return table(schedulesHead, summaries.flatMap(schedulesRows))
}

/** Does every caller get an answer? */
function answers({ results }: Summary): string {
  return table(
    [
      'Configuration',
      'Requests',
      'Accepted',
      'Refused with a status',
      'Unanswered',
      'p95',
      'Slowest answer',
      'Peak memory',
    ],
    results.map((result) => {
      const step = result.steps.find(({ purpose }) => purpose === 'measure')
      if (!step) return [result.variant, brokeBy(result) ?? '–', '–', '–', '–', '–', '–', '–']
      const { requests, accepted, failures, latency: times } = step.load
      const refused = Object.entries(failures).reduce(
        (all, [kind, many]) => all + (kind.startsWith('status_') ? many : 0),
        0,
      )
      const taken = times ? [latency(times.p95), latency(times.max)] : ['–', '–']
      return [
        result.variant,
        count(requests),
        count(accepted),
        count(refused),
        count(requests - accepted - refused),
        ...taken,
        peakMemory(result) ?? '–',
      ]
    }),
  )
}

/** The prediction for the last point from a law fitted to all others. */
function scaling({ scaling: [found] }: Summary): string {
  const points = found!.points
  const last = points.at(-1)!
  const { fit } = fitScaling(points.slice(0, -1))
  const said = (replicas: number): string => (fit ? perSecond(rateAt(fit.law, replicas)) : 'refused')
  return table(
    [found!.setting, 'measured', `law of the first ${points.length - 1}`, 'off by'],
    points.map(({ replicas, rate: measured }) => [
      String(replicas),
      perSecond(measured),
      said(replicas) + (replicas === last.replicas ? ' (predicted)' : ''),
      fit ? roughly(rateAt(fit.law, replicas) / measured - 1) : '–',
    ]),
  )
}

/** What each role used at a rate that all of them sustained. */
function roles({ results, scaling: [found] }: Summary): string {
  const roleOf = ({ process }: Resources) => process.replace(/-\d+$/, '')
  const names = [...new Set(results.flatMap(({ resources }) => resources.map(roleOf)))]
  const rows = found!.points.map(({ replicas, rate: sustained }) => {
    const { resources } = results.find(({ cell }) => cell[found!.setting] === replicas)!
    return [perSecond(sustained), ...names.map((name) => takenBy(resources.filter((one) => roleOf(one) === name)))]
  })
  return table(['For', ...names], rows)
}

/** `2 × 150m, 600 MiB`: the number of pods, their average CPU, and the largest memory of any. */
function takenBy(replicas: Resources[]): string {
  const millicores = (replicas.reduce((all, { cpu }) => all + cpu!.mean, 0) / replicas.length) * 1000
  return `${replicas.length} × ${Math.round(millicores)}m, ${memory(Math.max(...replicas.map(({ rss }) => rss!.max)))}`
}

/** The configurations that `size` looked at, and for how long, the cheapest first. */
function sizing(summary: Summary): string {
  const { results, recommendation, experiment } = summary
  const { load } = experiment
  const name = namesOf(results)
  const looks = ({ steps }: Result) => steps.filter(({ purpose }) => purpose === 'measure')
  const secondsOf = (result: Result) =>
    looks(result).reduce((all, { load: { startedAt, endedAt } }) => all + (endedAt - startedAt) / 1000, 0)
  const looked = results.reduce((all, result) => all + secondsOf(result), 0)
  const grid = results.length * (load as { duration: number }).duration
  const rows = results
    .toSorted((a, b) => a.cost! - b.cost!)
    .map((result) => {
      const last = looks(result).at(-1)
      return [
        name(result),
        figure(result.cost!),
        String(looks(result).length),
        `${figure(secondsOf(result))} s`,
        last?.holds ? 'yes' : 'no',
        last?.load.latency ? latency(last.load.latency.p95) : '–',
      ]
    })
  const chosen =
    recommendation && results.find(({ cell }) => JSON.stringify(cell) === JSON.stringify(recommendation.cell))
  const cheaper = results.filter(({ cost }) => chosen && cost! < chosen.cost!)
  const failed = cheaper.filter((result) => !looks(result).at(-1)?.holds)
  const why = whyRecommended(summary) || 'None was seen to sustain it.'
  return [
    table(['Configuration', 'Price', 'Looks', 'in all', 'Held at the last', 'p95 there'], rows),
    `${why} It measured for ${count(Math.round(looked))} s; `
      + `every cell at full length is ${count(grid)} s. ${failed.length} of the ${cheaper.length} `
      + 'cheaper ones failed their last look.',
  ].join('\n\n')
}

function spreadOf({ capacity }: Result): string {
  if (!capacity) return '–'
  const { spread, interval, repeats } = capacity
  if (spread !== null) return `${roughly(spread)} of ${repeats.length}`
  return interval?.high ? `${figure(interval.low)} to ${perSecond(interval.high)} by one run` : 'one run'
}

/** The source of a table: which run, when, of what, and on which machine. */
export function provenance({ command, startedAt, environment }: Summary): string {
  const { machine, versions, loadAverage, calibration } = environment
  return [
    `\`./${command}\`, ${moment(startedAt)}`,
    Object.entries(versions)
      .map(([what, version]) => `${what} ${version}`)
      .join(', '),
    machine ? `${machine.cpu}, ${machine.cores} cores, ${memory(machine.memory)}` : 'machine unknown',
    `load average before ${loadAverage[0] === undefined ? 'unknown' : figure(loadAverage[0])}`,
    ...(calibration ? [`bare Node ${paceOf(calibration)}`] : []),
  ].join(' · ')
}

/** Older runs looked once, and have no list. */
const paceOf = ({ rate: middle, rates = [middle] }: NonNullable<Environment['calibration']>) =>
  rates.length > 1 ? `${figure(min(rates))} to ${perSecond(max(rates))}` : perSecond(middle)
