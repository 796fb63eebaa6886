import { inTurn } from '../../../model/samples.ts'
import { deathLabels } from '../../../model/deaths.ts'
import { figure, memory, rate } from '../../../lib/figures.ts'
import { curvesOf, fullest, seriesFor, type Curve } from '../../series.ts'
import { SERIES } from '../colours.ts'
import type { Page, StepState, TimeChart } from '../page.ts'
import type { Resources, Result } from '../../../model/result.ts'
import type { Step } from '../../../model/step.ts'

/** Looks at processes that a whole page may hold: what keeps a run of 24 cells under 3 MB. */
const BUDGET = 40_000

/** The data of a result's charts; null where nothing was sampled. */
export function timeCharts(
  result: Result,
  page: Page,
): { cpu: TimeChart; memory: TimeChart; queue: TimeChart | null } | null {
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
      label: `${step.load.rate === null ? `${step.load.vus} clients` : rate(step.load.rate)}, ${stateOf(step)}`,
    })),
    exits: result.exits.map((exit) => ({
      at: seconds(exit.at),
      label: exit.reason === 'stopped' ? 'stopped' : deathLabels[exit.reason],
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
        colour: curves.length === 1 ? page.colour(result) : ((index + 1) % SERIES) + 1,
        dashed,
        t: curve.at.map(seconds),
        v: curve[measure].map((value) => (value === null ? null : round(value))),
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

const stateOf = ({ purpose, holds }: Step): StepState => (purpose === 'warm-up' ? 'warm-up' : holds ? 'held' : 'broke')

/** One line across can only say a limit that all processes have. */
function sharedLimit({ resources }: Result, of: 'cpu' | 'memory'): number | null {
  const limits = new Set(resources.map(({ limit }) => limit[of]))
  return limits.size === 1 ? [...limits][0]! : null
}

/** More lines than this cannot be told apart. */
const mostLines = 12

/** The processes with a line of their own: where there are too many, those that used the most memory or CPU. */
export function drawnOf({ resources }: Result): string[] {
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
