import { capacityOf } from '../../judge/capacity.ts'
import type { Experiment } from '../../model/experiment.ts'
import type { RecordOf, RunRecord } from '../../model/record.ts'
import type { Capacity, Limit } from '../../model/result.ts'
import type { Sample } from '../../model/sample.ts'
import { Samples } from '../../model/samples.ts'
import type { Step } from '../../model/step.ts'
import { warningInWords } from '../warnings.ts'

/** What there is to see of a run while it goes on, kept small: all its steps, and its last minutes. */
export interface WatchedRun {
  planned: PlannedCell[]
  steps: { cell: number; at: number; step: Step }[]
  deaths: RecordOf<'event'>[]
  /** With the cells that could not be measured. */
  warnings: string[]
  /** The cells that are up, and how often each was measured. */
  open: Set<number>
  visits: Map<number, number>
  /** Of the processes of the cells that were opened last. */
  limits: Map<number, Limit[]>
  courses: Map<string, Course>
  /** Of a search: what each cell sustains, as far as its steps have told, after each of them. */
  answers: Map<number, { at: number; capacity: Capacity | null }[]>
  /** Executions that n8n finished a second, over all its processes. */
  finished: { at: number; rate: number }[]
  recorded(record: RunRecord): void
}

/** One configuration under one workflow. */
export interface PlannedCell {
  cell: number
  variant: string
  workflow: string
  matrix: Record<string, unknown>
}

/** What one process used, a point a second. */
interface Course {
  cell: number
  process: string
  points: { at: number; cpu: number | null; memory: number | null }[]
  /** Executions that it had finished at its last look, and how many a second since the look before. */
  last: { at: number; count: number; rate: number } | null
}

/** Milliseconds of what is drawn over time. */
const kept = 5 * 60_000

export function watch(planned: PlannedCell[], experiment: Pick<Experiment, 'load' | 'slo'>): WatchedRun {
  const samples = new Map<number, Samples>()
  const watched: WatchedRun = {
    planned,
    steps: [],
    deaths: [],
    warnings: [],
    open: new Set(),
    visits: new Map(),
    limits: new Map(),
    courses: new Map(),
    answers: new Map(),
    finished: [],
    recorded(record) {
      take(watched, record)
      if (experiment.load.shape === 'search') answered(watched, record, samples, experiment.slo)
    },
  }
  return watched
}

function answered(
  { steps, answers }: WatchedRun,
  record: RunRecord,
  samples: Map<number, Samples>,
  slo: Experiment['slo'],
): void {
  if (record.type === 'sample') {
    const own = samples.get(record.cell) ?? new Samples()
    samples.set(record.cell, own)
    own.add(record)
  }
  if (record.type !== 'step' || record.purpose !== 'measure') return
  const own = steps.filter(({ cell }) => cell === record.cell).map(({ step }) => step)
  const capacity = capacityOf('search', own, { samples: samples.get(record.cell) ?? [], slo })
  answers.set(record.cell, [...(answers.get(record.cell) ?? []), { at: record.at, capacity }])
}

function take(watched: WatchedRun, record: RunRecord): void {
  switch (record.type) {
    case 'run':
      return void watched.warnings.push(...record.environment.warnings.map(warningInWords))
    case 'warning':
      return void watched.warnings.push(warningInWords(record.warning))
    case 'cell-failed':
      return void watched.warnings.push(record.message)
    case 'cell':
      return opened(watched, record)
    case 'sample':
      return sampled(watched, record)
    case 'step':
    case 'held':
      return void watched.steps.push({ cell: record.cell, at: record.at, step: record })
    case 'event':
      return void (record.exit && record.exit.reason !== 'stopped' && watched.deaths.push(record))
    case 'visited':
      watched.open.delete(record.cell)
      watched.visits.set(record.cell, (watched.visits.get(record.cell) ?? 0) + 1)
  }
}

/** A cell takes the place of those that have ended. */
function opened({ open, courses, limits: known }: WatchedRun, { cell, limits }: RecordOf<'cell'>): void {
  for (const [key, course] of courses) if (!open.has(course.cell) || course.cell === cell) courses.delete(key)
  for (const other of known.keys()) if (!open.has(other)) known.delete(other)
  open.add(cell)
  known.set(cell, Object.values(limits))
}

function sampled({ courses, finished }: WatchedRun, { cell, at, process, cpu, rss, executions }: RecordOf<'sample'>) {
  const key = `${cell} ${process}`
  const course = courses.get(key) ?? { cell, process, points: [], last: null }
  courses.set(key, course)
  add(course.points, { at, cpu, memory: rss })
  if (!executions) return
  const before = course.last
  course.last = { at, count: ended(executions), rate: 0 }
  if (!before || at <= before.at) return
  course.last.rate = (1000 * Math.max(0, course.last.count - before.count)) / (at - before.at)
  const rate = [...courses.values()].reduce((sum, { last }) => sum + (last?.rate ?? 0), 0)
  const newest = finished.at(-1)
  // The looks at several processes in one second are one point.
  if (newest && at - newest.at < 500) newest.rate = rate
  else add(finished, { at, rate })
}

const ended = ({ succeeded, failed }: NonNullable<Sample['executions']>) => succeeded + failed

function add<Point extends { at: number }>(points: Point[], point: Point): void {
  points.push(point)
  while (points[0]!.at < point.at - kept) points.shift()
}
