import { brokenWhereUnseen } from './pauses.ts'
import type { Resources, Result } from '../model/result.ts'
import { inTurn } from '../model/samples.ts'
import type { Step } from '../model/step.ts'
import { count, figure, latency, memory, perSecond } from '../lib/figures.ts'
import { died } from '../judge/reasons.ts'
import { answerFor } from './answered.ts'
import { note, type Block, type LatencyChart, type TimeChart } from './document.ts'
import { stateOf } from './labels.ts'
import { short } from './reason-words.ts'
import { colours, type Page } from './page.ts'
import { deaths } from './sentences.ts'
import { curvesOf, fullest, seriesFor, type Curve } from './series.ts'

/** The charts of one workflow: load against latency, and what its processes used over time. */

/** Load against latency: where the curve turns up is where n8n ends. */
export function loadAgainstLatency(results: Result[], id: string, page: Page): Block[] {
  const { load, slo } = page.summary.experiment
  const searched = load.shape === 'search'
  const x = (step: Step): number => (searched ? (step.load.rate ?? 0) : step.load.throughput)
  const series: LatencyChart['series'] = results.map((result) => ({
    name: page.name(result),
    colour: page.colour(result),
    ...bandOf(result, page, searched),
    points: answered(result).map((step) => ({
      x: Number(x(step).toPrecision(4)),
      y: Number(step.load.latency!.p95.toPrecision(4)),
      state: stateOf(step),
      // Of a process that only its quick answers were counted.
      onCurve: !died(step.reasons),
      note: pointed(step, searched),
    })),
  }))
  const drawn = series.filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return []
  const furthest = drawn.map(({ points }) => Math.max(...points.map((point) => point.x)))
  const logarithmicX =
    Math.max(...furthest) > farApart * Math.min(...furthest)
    && series.every(({ points }) => points.every((point) => point.x > 0))
  const someoneDied = series.some(({ points }) => points.some((point) => !point.onCurve))
  const over = searched ? 'the rate asked for' : 'the rate of answers'
  const scales = `${logarithmicX ? 'both' : 'latency'} on a logarithmic scale`
  const caption = [
    `95th percentile of latency over ${over}, ${scales}; a mark a step.`,
    `The dashed line is the objective of ${latency(slo.p95)}.`,
    ...(drawn.some(({ band }) => band) ? ['Shaded: where the capacity lies, right 19 times in 20.'] : []),
    ...(someoneDied
      ? ['Marks off the line are steps in which a process died: only its quick answers were counted.']
      : []),
  ]
  const chart = `${id}-latency`
  return [
    { kind: 'heading', id: `${chart}-title`, text: 'Load against latency', on: ['html'] },
    {
      kind: 'figure',
      id: chart,
      label: results.map((result) => described(result, page)).join(' '),
      caption: caption.join(' '),
      chart: {
        kind: 'latency',
        logarithmicX,
        xLabel: searched ? 'requests a second' : 'answers a second',
        objective: slo.p95,
        series,
      },
    },
  ]
}

function bandOf(result: Result, { summary }: Page, searched: boolean): Pick<LatencyChart['series'][number], 'band'> {
  const { low = null, high = null } = answerFor(result, summary)?.capacity ?? {}
  return searched && low !== null && high !== null ? { band: { low, high } } : {}
}

/** Where configurations sustain so many times what others do, a linear axis hides the slow ones. */
const farApart = 6

const answered = (result: Result): Step[] =>
  result.steps.filter((step) => step.purpose === 'measure' && step.load.latency !== null && step.load.latency.p95 > 0)

function pointed(step: Step, searched: boolean): string {
  const asked = searched ? `${perSecond(step.load.rate ?? 0)} asked, ` : ''
  const why = step.reasons.map((reason) => short(reason.code)).join(', ')
  return (
    `${asked}${perSecond(step.load.throughput)} answered, p95 ${latency(step.load.latency!.p95)}: `
    + `${step.holds ? 'held' : why || 'missed'}`
  )
}

/** The text alternative of a result's curve. */
function described(result: Result, page: Page): string {
  const steps = answered(result)
  if (steps.length === 0) return `${page.name(result)}: no step with an answer.`
  const held = steps.filter((step) => step.holds).length
  const times = steps.map((step) => step.load.latency!.p95)
  return (
    `${page.name(result)}: ${steps.length} steps, ${held} met the objective, p95 from `
    + `${latency(Math.min(...times))} to ${latency(Math.max(...times))}.`
  )
}

/** CPU and memory over time of every process, with the limit and what was killed, and how the queue stood. */
export function overTime(results: Result[], id: string, page: Page): Block[] {
  const parts = results.flatMap((result, index) => {
    const charts = timeCharts(result, page)
    return charts ? [{ result, chart: `${id}-time-${index}`, charts }] : []
  })
  if (parts.length === 0) return []
  return [
    { kind: 'heading', text: 'CPU and memory over time', on: ['html'] },
    { ...note(shading), on: ['html'] },
    ...parts.map(({ result, chart, charts }): Block => {
      const of = page.name(result)
      const figure = (part: string, title: string, data: TimeChart): Block => ({
        kind: 'figure',
        id: `${chart}-${part}`,
        title,
        label: title,
        small: true,
        chart: data,
      })
      return {
        kind: 'folded',
        title: of,
        strong: true,
        note: used(result),
        open: parts.length <= mostOpen,
        on: ['html'],
        blocks: [
          {
            kind: 'beside',
            blocks: [
              figure('cpu', `CPU of ${of}`, charts.cpu),
              figure('memory', `Memory of ${of}`, charts.memory),
              ...(charts.queue ? [figure('queue', `Queue of ${of}`, charts.queue)] : []),
            ],
          },
        ],
      }
    }),
  ]
}

/** More than this many results are folded away: they open one by one. */
const mostOpen = 4

const shading =
  'Shaded: the steps, red where they broke, grey where they say nothing of n8n. Dashed across: the limit, where all '
  + 'processes have the same. A red line: '
  + 'a process that died.'

/** The text alternative: the figures of the curves. */
function used(result: Result): string {
  const drawn = new Set(drawnOf(result))
  const shown = result.resources.filter(({ process }) => drawn.has(process))
  const parts = shown.map((resources) => {
    const figures = [requests(resources), cpu(resources), rss(resources)].filter(Boolean).join(', ')
    return result.resources.length > 1 ? `${resources.process}: ${figures}` : figures
  })
  const died = deaths(result)
  const left = result.resources.length - shown.length
  if (left > 0) parts.push(`and ${count(left)} more, which used less: samples.csv has them all`)
  return `${parts.join('; ')}${died ? `${parts.length > 0 ? '; ' : ''}${died}` : ''}`
}

/** Of a single process the steps say it. */
const requests = ({ requests: answered }: Resources): string | null =>
  answered === null ? null : `${count(answered)} requests`

function cpu({ cpu: used, limit }: Resources): string | null {
  if (!used) return null
  const of = limit.cpu === null ? '' : ` of ${figure(limit.cpu)}`
  return `CPU ${cores(used.mean)} on average, ${cores(used.max)} at most${of} ${limit.cpu === 1 ? 'core' : 'cores'}`
}

const cores = (value: number): string => value.toFixed(2)

function rss({ rss: used, limit }: Resources): string | null {
  return used && `memory ${memory(used.max)} at most${limit.memory === null ? '' : ` of ${memory(limit.memory)}`}`
}

/** Looks at processes that a whole page may hold: what keeps a run of 24 cells under 3 MB. */
const BUDGET = 40_000

/** The data of a result's charts; null where nothing was sampled. */
function timeCharts(result: Result, page: Page): { cpu: TimeChart; memory: TimeChart; queue: TimeChart | null } | null {
  const series = seriesFor(result, page.series)
  if (series.every(({ samples }) => samples.length === 0)) return null
  const start = Math.min(...series.map((each) => each.startedAt))
  const seconds = (at: number): number => Math.round((at - start) / 100) / 10
  const shown = new Set(drawnOf(result))
  const curves = [...curvesOf(inTurn(series.map(({ samples }) => samples)), points(page))].flatMap(
    ([process, curve]) => (shown.size === 0 || shown.has(process) ? [{ process, curve }] : []),
  )
  const shared: Pick<TimeChart, 'kind' | 'steps' | 'exits'> = {
    kind: 'time',
    steps: result.steps.map((step) => ({
      from: seconds(step.load.startedAt),
      to: seconds(step.load.endedAt),
      state: stateOf(step),
      label: `${step.load.rate === null ? `${step.load.vus} clients` : perSecond(step.load.rate)}, ${stateOf(step)}`,
    })),
    exits: result.exits.map((exit) => ({
      at: seconds(exit.at),
      label: exit.reason === 'stopped' ? 'stopped' : short(exit.reason),
    })),
  }
  const lines = (
    measure: keyof Omit<Curve, 'at'>,
    suffix: string,
    round: (value: number) => number,
    dashed = false,
  ): TimeChart['lines'] =>
    curves
      .map(({ process, curve }, index) => ({
        name: process + suffix,
        colour: curves.length === 1 ? page.colour(result) : ((index + 1) % colours) + 1,
        dashed,
        ...brokenWhereUnseen(
          curve.at.map(seconds),
          curve[measure].map((value) => (value === null ? null : round(value))),
        ),
      }))
      .filter((line) => line.v.some((value) => value !== null))
  const limit = { cpu: sharedLimit(result, 'cpu'), memory: sharedLimit(result, 'memory') }
  const queue = fullest(
    series.flatMap((each) => each.queue),
    points(page),
  )
  const jobs = (name: 'waiting' | 'active', colour: number) => ({
    name,
    colour,
    dashed: false,
    t: queue.map(({ at }) => seconds(at)),
    v: queue.map((look) => look[name]),
  })
  return {
    cpu: {
      ...shared,
      unit: 'cores',
      limit:
        limit.cpu === null
          ? null
          : { value: limit.cpu, label: `limit ${figure(limit.cpu)} ${limit.cpu === 1 ? 'core' : 'cores'}` },
      lines: lines('cpu', '', hundredths),
    },
    memory: {
      ...shared,
      unit: 'bytes',
      limit: limit.memory === null ? null : { value: limit.memory, label: `limit ${memory(limit.memory)}` },
      lines: [
        ...lines('rss', ' resident', tenthsOfMebibytes),
        ...lines('heapUsed', ' heap used', tenthsOfMebibytes, true),
      ],
    },
    queue:
      queue.length === 0
        ? null
        : { ...shared, unit: 'executions', limit: null, lines: [jobs('waiting', 1), jobs('active', 2)] },
  }
}

/** One line across can only say a limit that all processes have. */
function sharedLimit({ resources }: Result, of: 'cpu' | 'memory'): number | null {
  const limits = new Set(resources.map(({ limit }) => limit[of]))
  return limits.size === 1 ? [...limits][0]! : null
}

/** More lines than this cannot be told apart. */
const mostLines = 12

/** The processes with a line of their own: where there are too many, those that used the most memory or CPU. */
function drawnOf({ resources }: Result): string[] {
  if (resources.length <= mostLines) return resources.map(({ process }) => process)
  const by = (of: (one: Resources) => number) => resources.toSorted((a, b) => of(b) - of(a)).slice(0, mostLines / 2)
  const most = [...by(({ rss }) => rss?.max ?? 0), ...by(({ cpu }) => cpu?.mean ?? 0)]
  return [...new Set(most.map(({ process }) => process))]
}

/** Fewer points a process where there are many processes. */
function points({ summary }: Page): number {
  const curves = summary.results.reduce((sum, result) => sum + drawnOf(result).length, 0)
  return Math.min(400, Math.max(60, Math.floor(BUDGET / Math.max(1, curves))))
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

const tenthsOfMebibytes = (bytes: number): number => Math.round(bytes / 104_857.6) * 104_857.6
