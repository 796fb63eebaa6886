import { join } from 'node:path'
import { isStopped } from '../judge/verdict.ts'
import { calibrate } from './calibrate/calibrate.ts'
import { together } from '../chart/isolate/isolate.ts'
import { isInvalid } from '../lib/errors.ts'
import { refuseWithout } from '../fault/refuse.ts'
import { driveStep } from '../load/k6.ts'
import { setAsideLines } from '../report/set-aside.ts'
import { duration, percent } from '../lib/figures.ts'
import { reasonOf } from '../lib/await.ts'
import { refuseFullDisk } from '../lib/disk.ts'
import { paths } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import { barriers, type Barrier } from './barrier.ts'
import { measureCell } from './cell.ts'
import { planCells, type Cell } from './cells.ts'
import { describeEnvironment } from './environment.ts'
import { holdsLeft, type HoldOrder } from './hold.ts'
import type { RunOrder } from './order.ts'
import { watchOwnUse, type OwnUse } from './own-use.ts'
import { isCalibrationDue, type Visit } from './schedule.ts'
import type { SetAside } from '../model/environment.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'

/** Measures every cell of an experiment. However it ends, the record has what was measured until then. */
export async function run(order: RunOrder): Promise<void> {
  const { experiment, recorder, progress, signal } = order
  const cells = await planCells(order)
  for (const { plan } of cells) for (const fault of order.faults ?? []) refuseWithout(fault, plan)
  const setAside = together(cells.flatMap((cell) => cell.setAside))
  for (const line of setAsideLines(setAside)) progress.say(line)
  const target = await order.openTarget(order.fail)
  const ownUse = watchOwnUse()
  const before = recorder.records.length
  let outcome: 'complete' | 'interrupted' | 'failed' = 'failed'
  const failures: unknown[] = []
  try {
    if (recorder.records.length === 0) await begin(order, cells, target, setAside)
    else
      recorder.add({
        type: 'warning',
        at: Date.now(),
        text: `The run was stopped, and went on at ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      })
    const next = () => order.schedule(cells, recorder.records, experiment)
    for (let visit = next(); visit; visit = next()) {
      if (isCalibrationDue(recorder.records, Date.now())) await recordPace(target, order)
      await makeVisit(visit, cells, target, { ...order, ownUse })
      if (hasStopped(recorder.records.slice(before))) break
      const left = order.remaining?.(cells, recorder.records, experiment)
      if (left) progress.say(`  about ${duration(left * 1000)} left`)
    }
    if (!hasStopped(recorder.records.slice(before))) await holdRates(cells, target, { ...order, ownUse })
    await recordPace(target, order)
    signal.throwIfAborted()
    outcome = 'complete'
  } catch (error) {
    if (signal.aborted && isInterruption(signal.reason)) outcome = 'interrupted'
    // What was told from elsewhere comes first: what fails after it may only be its consequence.
    else failures.push(signal.aborted ? signal.reason : error)
  }
  progress.doing('Taking everything down')
  await target.close().catch((error) => failures.push(error))
  recorder.add({ type: 'end', at: Date.now(), outcome, lab: ownUse.cores() })
  // What could not be taken down comes second: it may only be a consequence.
  for (const error of failures.slice(1)) progress.say(`! ${reasonOf(error)}`)
  if (failures.length) throw failures[0]
}

/** On an n8n of others the load ends by itself, whatever was still to be measured. */
const hasStopped = (records: RunRecord[]) => records.some((record) => record.type === 'step' && isStopped(record))

/** Whether a run ended because it was told to, and not by a failure. */
export const isInterruption = (reason: unknown) => (reason as Error | null)?.name === 'AbortError'

/** Warnings that a reader needs before any figure. */
async function begin(
  { recorder, progress, ...order }: RunOrder,
  cells: Cell[],
  target: Target,
  setAside: SetAside[],
): Promise<void> {
  const environment = await describeEnvironment(target, versionsOf(cells))
  recorder.add({
    type: 'run',
    schema: 1,
    at: Date.now(),
    id: order.id,
    command: order.command,
    experiment: order.experiment,
    environment,
  })
  if (setAside.length) recorder.add({ type: 'set-aside', at: Date.now(), values: setAside })
  for (const warning of environment.warnings) progress.say(`! ${warning}`)
  // The command has shown them before it began.
  for (const text of order.workflows.flatMap(({ warnings }) => warnings))
    recorder.add({ type: 'warning', at: Date.now(), text })
  if (order.gate) recorder.add({ type: 'gate', at: Date.now(), ...order.gate })
}

/** One core, because most users give n8n one. */
const calibrationLimits = { cpu: 1, memory: null }

/**
 * Measures the machine without n8n at the start, every few minutes, and at the end: a shared machine changes its pace.
 */
async function recordPace(
  { serve, generator, folder }: Target,
  { recorder, progress, signal }: RunOrder,
): Promise<void> {
  if (!serve) return
  progress.doing('Calibrating: a bare Node HTTP handler on n8n’s cores')
  try {
    const calibration = await calibrate({
      start: () => serve(paths.bareServer, calibrationLimits),
      drive: (step) => driveStep(step, { generator, p95: Infinity, signal }),
    })
    recorder.add({ type: 'calibration', at: Date.now(), ...calibration })
  } catch (error) {
    signal.throwIfAborted()
    refuseFullDisk(folder)
    if (!isInvalid(error)) throw error
    const text = `How fast this machine is was not measured: ${error.message}`
    recorder.add({ type: 'warning', at: Date.now(), text })
    progress.say(`! ${text}`)
  }
}

/** Side by side if the target can: then changes of the machine affect all of them alike. */
async function makeVisit(
  visit: Visit,
  cells: Cell[],
  target: Target,
  order: RunOrder & { ownUse: OwnUse },
): Promise<void> {
  const atOnce = target.sideBySide ? [visit.cells] : visit.cells.map((cell) => [cell])
  for (const group of atOnce) {
    const beside = group.length > 1 ? barriers(group.length) : []
    const outcomes = await Promise.allSettled(
      group.map((cell, index) => tryCell(cells[cell]!, visit, target, { ...order, barrier: beside[index] })),
    )
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    for (const cell of group) order.recorder.add({ type: 'visited', at: Date.now(), cell, repeat: visit.repeat })
  }
}

/** Where that is asked: what is recommended of each cell, one after the other. */
async function holdRates(cells: Cell[], target: Target, order: RunOrder & { ownUse: OwnUse }): Promise<void> {
  const { experiment, recorder, progress } = order
  if (!experiment.hold) return
  for (const { cell, hold } of holdsLeft(cells, recorder.records, experiment.hold)) {
    progress.say(`  holding ${percent(hold.share)} of its capacity for ${duration(hold.for * 1000)}`)
    await tryCell(cell, { cells: [cell.number], repeat: afterAll }, target, { ...order, hold })
  }
}

/** No repeat of the search. */
const afterAll = 0

/** An n8n that cannot start is a result like any other: the next one may start. */
async function tryCell(
  cell: Cell,
  { repeat, share = 1 }: Visit,
  target: Target,
  order: RunOrder & { ownUse: OwnUse; barrier?: Barrier; hold?: HoldOrder },
): Promise<void> {
  const experiment = { ...order.experiment, load: shorter(order.experiment.load, share) }
  try {
    const folder = (kind: string) =>
      join(order.recorder.dir, kind, `${cell.variant}-${cell.traffic.name}-${cell.number}-${repeat}`)
    await measureCell(cell, repeat, target, {
      ...order,
      experiment,
      logs: folder('logs'),
      profiles: folder('profiles'),
    })
  } catch (error) {
    order.signal.throwIfAborted()
    refuseFullDisk(target.folder)
    if (!isInvalid(error)) throw error
    order.recorder.add({
      type: 'cell-failed',
      at: Date.now(),
      cell: cell.number,
      code: error.code,
      message: error.message,
      log: error.log,
    })
    order.progress.say(`  ${error.message}${error.hint ? ` ${error.hint}` : ''}`)
    for (const line of error.log) order.progress.say(`  | ${line}`)
  } finally {
    order.barrier?.leave()
  }
}

/** A step shorter than this says nothing. */
const leastSeconds = 5

function shorter(load: Experiment['load'], share: number): Experiment['load'] {
  return load.shape === 'search'
    ? load
    : { ...load, duration: Math.min(load.duration, Math.max(leastSeconds, Math.round(load.duration * share))) }
}

function versionsOf(cells: Cell[]): Record<string, string> {
  const tags = cells.flatMap(({ plan }) =>
    plan.workloads.flatMap(({ containers }) => containers.map(({ image }) => image)),
  )
  const n8n = tags.filter(({ repository }) => repository.endsWith('/n8n')).map(({ tag }) => tag)
  return n8n.length ? { n8n: [...new Set(n8n)].join(', ') } : {}
}
