import type { DeathCode } from '../../model/event.ts'
import type { Capacity } from '../../model/result.ts'
import type { Step } from '../../model/step.ts'
import { figure, latency, memory, nameOf, perSecond } from '../../lib/figures.ts'
import { died } from '../../judge/reasons.ts'
import type { Chart, LatencyChart, Steps, TimeChart } from '../document.ts'
import { brokenWhereUnseen } from '../pauses.ts'
import { purposeInWords, stateOf } from '../labels.ts'
import { short } from '../reason-words.ts'
import { colours } from '../page.ts'
import type { PlannedCell, WatchedRun } from './watched.ts'

/** The state of a run as the live page shows it: figures and charts, made anew each second. */
export interface View {
  /** The newest of each, null where there is none yet. */
  now: { finished: number | null; cpu: number | null; memory: number | null; step: Step | null }
  /** What the cells that are measured sustain, as far as their searches have told. */
  bounds: string | null
  plan: { name: string; state: 'done' | 'now' | 'waiting' }[]
  steps: Steps
  /** The newest first. */
  warnings: string[]
  /** Absent where there is nothing to draw yet. */
  charts: Record<'answer' | 'search' | 'rate' | 'latency' | 'cpu' | 'memory', Chart | undefined>
}

interface Asked {
  /** Of p95, milliseconds. */
  objective: number
  /** The load is a search for the highest rate. */
  searched: boolean
  repeat: number
}

const mostWarnings = 12

export function viewOf(watched: WatchedRun, asked: Asked): View {
  const { steps, finished, courses, planned, open, visits } = watched
  const measured = steps.filter(({ step }) => step.purpose === 'measure')
  const newest = [...courses.values()].map(({ points }) => points.at(-1)!)
  return {
    now: {
      finished: finished.at(-1)?.rate ?? null,
      cpu: total(newest.map((point) => point.cpu)),
      memory: total(newest.map((point) => point.memory)),
      step: measured.at(-1)?.step ?? null,
    },
    bounds: asked.searched ? boundsOf(watched) : null,
    plan: planned.map((one) => ({
      name: labelOf(one),
      state: open.has(one.cell) ? 'now' : (visits.get(one.cell) ?? 0) >= asked.repeat ? 'done' : 'waiting',
    })),
    steps: stepsOf(watched),
    warnings: watched.warnings.toReversed().slice(0, mostWarnings),
    charts: { answer: answerChart(watched), search: searchChart(watched, asked), ...timeCharts(watched, asked) },
  }
}

export const labelOf = ({ variant, workflow, matrix }: PlannedCell) =>
  `${workflow} on ${nameOf({ variant, cell: matrix })}`

/** Null where none is known. */
function total(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null
}

function boundsOf({ answers, open, planned }: WatchedRun): string | null {
  const told = planned.flatMap((one) => {
    const own = open.size === 0 || open.has(one.cell) ? answers.get(one.cell) : undefined
    return own ? [`${labelOf(one)}: ${narrowing(own.map(({ capacity }) => capacity))}`] : []
  })
  return told.length ? `${told.join('. ')}.` : null
}

/** The newest interval, and the one before it. */
function narrowing(answers: (Capacity | null)[]): string {
  const [before, now] = [answers.at(-2)?.interval, answers.at(-1)?.interval]
  if (!now) return 'no rate that was tried holds yet'
  const earlier = before && !(before.low === now.low && before.high === now.high) ? ` (before: ${between(before)})` : ''
  return `sustains ${between(now)}${earlier}`
}

const between = ({ low, high }: NonNullable<Capacity['interval']>): string =>
  high === null ? `at least ${perSecond(low)}` : `${figure(low)} to ${perSecond(high)}`

/** The newest first: it is what the reader waits for. */
function stepsOf({ steps, planned }: WatchedRun): Steps {
  const order = [...new Set(steps.toReversed().map(({ cell }) => cell))]
  return {
    kind: 'steps',
    label: 'Steps so far',
    columns: ['Repeat', 'Load', 'Verdict', 'Answered', 'p95'],
    groups: order.map((number) => ({
      name: labelOf(planned.find(({ cell }) => cell === number)!),
      rows: steps
        .filter(({ cell }) => cell === number)
        .toReversed()
        .map(({ step }) => ({ warmUp: step.purpose !== 'measure', cells: cellsOf(step) })),
    })),
  }
}

function cellsOf(step: Step): Steps['groups'][number]['rows'][number]['cells'] {
  const { load, reasons, purpose, repeat } = step
  const measured = purpose === 'measure'
  const more = reasons[0] && { more: reasons[0].text }
  return [
    { text: measured ? String(repeat) : purposeInWords(purpose) },
    { text: load.rate === null ? `${figure(load.vus ?? 0)} clients` : perSecond(load.rate) },
    { text: verdictOf(step), ...(measured && { state: stateOf(step) as 'held' | 'broke' | 'spoiled', ...more }) },
    { text: perSecond(load.throughput) },
    { text: load.latency ? latency(load.latency.p95) : '–' },
  ]
}

/** Loads that n8n is not judged by have no verdict. */
const verdictOf = ({ purpose, holds, reasons }: Step): string =>
  purpose !== 'measure' ? '' : holds ? 'held' : reasons.map(({ code }) => short(code)).join(', ') || 'missed'

/** The rates that were tried under the workflow that is measured, each with what came of it. */
function searchChart({ steps, planned }: WatchedRun, { objective, searched }: Asked): LatencyChart | undefined {
  const workflow = planned.find(({ cell }) => cell === steps.at(-1)?.cell)?.workflow
  const series = planned
    .filter((one) => one.workflow === workflow)
    .map((one, index) => ({
      name: nameOf({ variant: one.variant, cell: one.matrix }),
      colour: ((index + 1) % colours) + 1,
      points: steps
        .filter(({ cell, step }) => cell === one.cell && step.purpose === 'measure' && step.load.latency?.p95)
        .map(({ step }) => ({
          x: searched ? (step.load.rate ?? 0) : step.load.throughput,
          y: step.load.latency!.p95,
          state: stateOf(step),
          onCurve: !died(step.reasons),
          note:
            `${perSecond(step.load.throughput)} answered, p95 ${latency(step.load.latency!.p95)}: ` + verdictOf(step),
        })),
    }))
    .filter(({ points }) => points.length > 0)
  if (series.length === 0) return undefined
  const xLabel = searched ? 'requests a second' : 'answers a second'
  return { kind: 'latency', xLabel, logarithmicX: false, objective, series }
}

/** How the range of what each sustains has narrowed, from the first step on. */
function answerChart({ answers, planned, steps }: WatchedRun): TimeChart | undefined {
  const from = steps[0]?.step.load.startedAt ?? 0
  const several = new Set(planned.map((one) => one.workflow)).size > 1
  const lines = planned.flatMap(({ cell, variant, workflow, matrix }, index): TimeChart['lines'] => {
    const told = (answers.get(cell) ?? []).flatMap(({ at, capacity }) =>
      capacity?.interval ? [{ t: Math.round((at - from) / 1000), rate: capacity.rate, ...capacity.interval }] : [],
    )
    if (told.length === 0) return []
    const name = `${nameOf({ variant, cell: matrix })}${several ? `, ${workflow}` : ''}`
    const line = (of: 'low' | 'rate' | 'high'): TimeChart['lines'][number] => ({
      name: of === 'rate' ? name : `${name}, its range`,
      colour: ((index + 1) % colours) + 1,
      dashed: of !== 'rate',
      t: told.map(({ t }) => t),
      v: told.map((one) => (one[of] === null ? null : Number(one[of].toPrecision(3)))),
    })
    return [line('rate'), line('low'), line('high')]
  })
  return lines.length === 0
    ? undefined
    : {
        kind: 'time',
        unit: 'requests a second',
        limit: null,
        lines: lines.slice(0, 3 * mostLines),
        steps: [],
        exits: [],
      }
}

/** More lines than these cannot be told apart. */
const mostLines = 8

/** The last minutes of the cells that are up. */
function timeCharts(watched: WatchedRun, { objective }: Asked): Omit<View['charts'], 'answer' | 'search'> {
  const { steps, deaths, courses, finished, limits } = watched
  const all = [...courses.values()]
  const from = Math.min(...all.map(({ points }) => points[0]!.at))
  if (!Number.isFinite(from)) return { rate: undefined, latency: undefined, cpu: undefined, memory: undefined }
  const seconds = (at: number) => Math.round((at - from) / 100) / 10
  const severalCells = new Set(all.map(({ cell }) => cell)).size > 1
  const variantOf = (number: number) => watched.planned.find(({ cell }) => cell === number)!.variant
  const shared: Pick<TimeChart, 'kind' | 'steps' | 'exits'> = {
    kind: 'time',
    steps: steps
      .filter(({ step }) => step.load.startedAt >= from)
      .map(({ step }) => ({
        from: seconds(step.load.startedAt),
        to: seconds(step.load.endedAt),
        state: stateOf(step),
        label: `${step.load.rate === null ? `${step.load.vus} clients` : perSecond(step.load.rate)}, ${stateOf(step)}`,
      })),
    exits: deaths
      .filter(({ at }) => at >= from)
      .map(({ at, exit }) => ({ at: seconds(at), label: short(exit!.reason as DeathCode) })),
  }
  const lines = (of: 'cpu' | 'memory', digits: number): TimeChart['lines'] =>
    all.slice(0, mostLines).map(({ cell, process, points }, index) => ({
      name: severalCells ? `${process} of ${variantOf(cell)}` : process,
      colour: ((index + 1) % colours) + 1,
      dashed: false,
      ...brokenWhereUnseen(
        points.map(({ at }) => seconds(at)),
        points.map((point) => (point[of] === null ? null : Number(point[of].toPrecision(digits)))),
      ),
    }))
  const limit = (of: 'cpu' | 'memory', inWords: (value: number) => string): TimeChart['limit'] => {
    const [value, ...others] = new Set([...limits.values()].flat().map((one) => one[of]))
    return value == null || others.length ? null : { value, label: `limit ${inWords(value)}` }
  }
  const line = (name: string, points: { at: number; value: number }[]) => ({
    name,
    colour: 2,
    dashed: false,
    t: points.map(({ at }) => seconds(at)),
    v: points.map(({ value }) => Number(value.toPrecision(3))),
  })
  const rates = finished.filter(({ at }) => at >= from).map((point) => ({ at: point.at, value: point.rate }))
  // A step has one figure, over all of its time.
  const answered = steps.flatMap(({ step: { load } }) => {
    const value = load.latency?.p95
    const ends = load.startedAt < from ? [] : [load.startedAt, load.endedAt]
    return value ? ends.map((at) => ({ at, value })) : []
  })
  return {
    rate: rates.length
      ? { ...shared, unit: 'requests a second', limit: null, lines: [line('executions that n8n finished', rates)] }
      : undefined,
    latency: answered.length
      ? {
          ...shared,
          unit: 'milliseconds',
          limit: { value: objective, label: `objective ${latency(objective)}` },
          lines: [line('p95 of each step', answered)],
        }
      : undefined,
    cpu: {
      ...shared,
      unit: 'cores',
      limit: limit('cpu', (value) => `${figure(value)} ${value === 1 ? 'core' : 'cores'}`),
      lines: lines('cpu', 3),
    },
    memory: { ...shared, unit: 'bytes', limit: limit('memory', memory), lines: lines('memory', 4) },
  }
}
