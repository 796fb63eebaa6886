import { availableMemory } from 'node:process'
import { cannotHold } from '../judge/objective.ts'
import { summarise } from '../judge/summarise.ts'
import { isStopped } from '../judge/verdict.ts'
import { calibrate } from './calibrate/calibrate.ts'
import { limitsByProcess } from '../chart/executing.ts'
import { joinReasons } from '../chart/isolate/isolate.ts'
import { isInvalid } from '../lib/errors.ts'
import { refuseFaultWithout } from '../fault/refuse.ts'
import { driveWhole } from '../load/k6.ts'
import { progressWords } from '../report/progress-words.ts'
import { capacityInWords } from '../report/capacity-words.ts'
import { setAsideLines } from '../report/set-aside.ts'
import { warningInWords } from '../report/warnings.ts'
import { nameOf, percent } from '../lib/figures.ts'
import { reasonOf } from '../lib/await.ts'
import type { Fail } from '../lib/repeat.ts'
import { refuseFullDisk } from '../lib/disk.ts'
import { paths } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import { measureCell, type CellVisit } from './cell.ts'
import { clientsNeeded } from './drive-load.ts'
import { slicesLeft } from './slices.ts'
import { inTurns } from './turns.ts'
import type { Cell } from './cells.ts'
import type { Run } from './context.ts'
import { describeEnvironment } from './environment.ts'
import { holdsLeft } from './hold.ts'
import { firstRequestFailed, writeRequests } from './rehearse.ts'
import { watchOwnUse } from './own-use.ts'
import { lookForQuiet, thisMachine, waitForQuiet } from './quiet-machine.ts'
import { isCalibrationDue, type Visit } from './schedule.ts'
import type { Load } from '../model/load.ts'
import { cellKey } from '../model/result.ts'

/** Measures every cell of an experiment. However it ends, the record has what was measured until then. */
export async function run(
  asked: Omit<Run, 'target' | 'ownUse'>,
  openTarget: (fail: Fail) => Promise<Target>,
): Promise<void> {
  const { cells, options, record, progress, signal } = asked
  for (const { plan } of cells) for (const fault of options.faults ?? []) refuseFaultWithout(fault, plan)
  for (const line of setAsideLines(setAsideOf(cells))) progress.say(line)
  const run: Run = { ...asked, target: await openTarget(asked.fail), ownUse: watchOwnUse() }
  let outcome: 'complete' | 'interrupted' | 'failed' = 'failed'
  const failures: unknown[] = []
  try {
    await visitAll(run)
    signal.throwIfAborted()
    outcome = 'complete'
  } catch (error) {
    if (signal.aborted && isInterruption(signal.reason)) outcome = 'interrupted'
    // What was told from elsewhere comes first: what fails after it may only be its consequence.
    else failures.push(signal.aborted ? signal.reason : error)
  }
  progress.doing(progressWords.takesDown)
  await run.target.close().catch((error) => failures.push(error))
  record.add({ type: 'end', at: Date.now(), outcome, lab: run.ownUse.cores() })
  // What could not be taken down comes second: it may only be a consequence.
  for (const error of failures.slice(1)) progress.say(`! ${reasonOf(error)}`)
  if (failures.length) throw failures[0]
}

/** Whether a run ended because it was told to, and not by a failure. */
export const isInterruption = (reason: unknown) => (reason as Error | null)?.name === 'AbortError'

/** The cells in the order of the schedule, then what is recommended of each, and how fast the machine is in between. */
async function visitAll(run: Run): Promise<void> {
  const { experiment, cells, options, record } = run
  const before = record.records.length
  if (before === 0) await begin(run)
  else record.add({ type: 'warning', at: Date.now(), warning: { code: 'went-on', at: Date.now() } })
  // On an n8n of others the load ends by itself, whatever was still to be measured.
  const hasStopped = () => record.records.slice(before).some((one) => one.type === 'step' && isStopped(one))
  const next = () => options.schedule(cells, record.records, experiment)
  tellLeft(run)
  for (let visit = next(); visit; visit = next()) {
    if (isCalibrationDue(record.records, Date.now())) await recordPace(run)
    await makeVisit(run, visit)
    if (hasStopped()) break
    tellLeft(run)
  }
  if (!hasStopped()) await holdRates(run)
  await recordPace(run)
}

function tellLeft({ experiment, cells, options, record, progress }: Run): void {
  const left = options.secondsLeft?.(cells, record.records, experiment, Date.now())
  if (left) progress.left(left)
}

/** Warnings that a reader needs before any figure. */
async function begin({ experiment, cells, options, target, record, progress, signal }: Run): Promise<void> {
  const machine = thisMachine(signal)
  const look = () => (options.whenQuiet ? waitForQuiet(machine, progress.doing) : lookForQuiet(machine))
  // Interrupted meanwhile, the run still says what it was.
  const stillness = target.surroundings ? null : await look().catch(unlessAborted(signal))
  const environment = await describeEnvironment(target, versionsOf(cells), stillness)
  const { id, command, gate } = options
  record.add({ type: 'run', schema: 1, at: Date.now(), id, command, experiment, environment })
  const setAside = setAsideOf(cells)
  if (setAside.length) record.add({ type: 'set-aside', at: Date.now(), values: setAside })
  for (const warning of environment.warnings) progress.say(`! ${warningInWords(warning)}`)
  // The command has shown them before it began.
  const told = cells.flatMap(({ traffic }) => traffic.parts.flatMap(({ workflow }) => workflow.warnings))
  for (const warning of new Set(told)) record.add({ type: 'warning', at: Date.now(), warning })
  const workflows = new Set(cells.flatMap(({ traffic }) => traffic.parts.map(({ workflow }) => workflow)))
  for (const file of writeRequests(record.dir, [...workflows])) progress.say(progressWords.hasInferred(file))
  if (gate) record.add({ type: 'gate', at: Date.now(), ...gate })
}

const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
  return null
}

const setAsideOf = (cells: Cell[]) => joinReasons(cells.flatMap(({ setAside }) => setAside))

/** One core, because most users give n8n one. */
const calibrationLimits = { cpu: 1, memory: null }

/**
 * Measures the machine without n8n at the start, every few minutes, and at the end: a shared machine changes its pace.
 */
async function recordPace({ target, record, progress, signal }: Run): Promise<void> {
  const { serve, generator, folder } = target
  if (!serve) return
  progress.doing(progressWords.calibrates)
  try {
    const calibration = await calibrate({
      start: () => serve(paths.bareServer, calibrationLimits),
      drive: (step) => driveWhole(step, { generator, p95: Infinity, signal }),
    })
    record.add({ type: 'calibration', at: Date.now(), ...calibration })
  } catch (error) {
    signal.throwIfAborted()
    refuseFullDisk(folder)
    if (!isInvalid(error)) throw error
    const warning = { code: 'pace-unknown', reason: error.message } as const
    record.add({ type: 'warning', at: Date.now(), warning })
    progress.say(`! ${warningInWords(warning)}`)
  }
}

/** In turns if the target can: then changes of the machine affect all of them alike. */
async function makeVisit(run: Run, { cells, repeat, share = 1 }: Visit): Promise<void> {
  const load = shorter(run.experiment.load, share)
  const atOnce = canTakeTurns(run, cells) ? [cells] : cells.map((cell) => [cell])
  for (const group of atOnce) {
    const goesOn = slicesLeft(run.record, run.experiment)
    const clients = clientsNeeded()
    const turns =
      group.length > 1 || run.options.filled
        ? inTurns(group.length).map((own) => ({ ...own, goesOn, clients, count: group.length }))
        : []
    const outcomes = await Promise.allSettled(
      group.map((cell, index) => tryCell(run, run.cells[cell]!, { repeat, load, turns: turns[index] })),
    )
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    // One visit in turns has the load of all repeats.
    const last = turns.length > 0 && load.shape !== 'search' ? Math.max(repeat, run.experiment.repeat) : repeat
    for (const cell of group) {
      for (let one = repeat; one <= last; one++) run.record.add({ type: 'visited', at: Date.now(), cell, repeat: one })
      tellCapacity(run, run.cells[cell]!)
    }
  }
}

/**
 * Those that wait for their turn need memory, too. A fault of one would reach the others. What open editors keep
 * waiting piles up for as long as they are open: in short turns it would not. Schedules of all would be due in the
 * same second.
 */
function canTakeTurns({ experiment, target, options, cells: all, progress }: Run, cells: number[]): boolean {
  if (cells.length < 2 || !target.sideBySide || options.faults?.length) return false
  if (experiment.editors || experiment.schedules) return false
  const needed = cells.reduce((sum, cell) => sum + memoryOf(all[cell]!), 0)
  // A container's limit counts, where the lab runs in one.
  const free = availableMemory()
  if (needed <= free) return true
  progress.say(progressWords.takesNoTurns(cells.length, needed, free))
  return false
}

/** Bytes that its processes may take; n8n rarely takes more than the second where nothing limits it. */
const memoryOf = ({ plan }: Cell) =>
  Object.values(limitsByProcess(plan)).reduce((sum, { memory }) => sum + (memory ?? unlimited), 0)
const unlimited = 1.5 * 2 ** 30

/** The figure of a search as soon as it is there; the report has it with the others. */
function tellCapacity({ experiment, record, progress }: Run, { variant, matrix, traffic }: Cell): void {
  if (experiment.load.shape !== 'search') return
  const key = cellKey({ variant, workflow: traffic.name, cell: matrix })
  const capacity = summarise(record.records).results.find((result) => cellKey(result) === key)?.capacity
  if (!capacity) return
  progress.say(
    progressWords.sustains(`${traffic.name} on ${nameOf({ variant, cell: matrix })}`, capacityInWords(capacity)),
  )
}

/** Where that is asked: what is recommended of each cell, one after the other. */
async function holdRates(run: Run): Promise<void> {
  const { experiment, cells, record, progress } = run
  if (!experiment.hold) return
  for (const { cell, hold } of holdsLeft(cells, record.records, experiment.hold)) {
    const share = hold.share === 1 ? '' : `${percent(hold.share)} of `
    progress.say(progressWords.holds(share, hold.for))
    await tryCell(run, cell, { repeat: afterAll, load: experiment.load, hold })
  }
}

/** No repeat of the search. */
const afterAll = 0

/** An n8n that cannot start is a result like any other: the next one may start. */
async function tryCell(run: Run, cell: Cell, visit: CellVisit): Promise<void> {
  const { target, record, progress, signal } = run
  // Its first request fails again.
  const isFailing = record.records.some(
    (one) =>
      one.type === 'cell-failed' && one.cell === cell.number && [firstRequestFailed, cannotHold].includes(one.code),
  )
  try {
    if (isFailing) return
    await measureCell(run, cell, visit)
  } catch (error) {
    signal.throwIfAborted()
    refuseFullDisk(target.folder)
    if (!isInvalid(error)) throw error
    const { code, message, hint, log } = error
    record.add({ type: 'cell-failed', at: Date.now(), cell: cell.number, code, message, log })
    progress.say(`  ${message}${hint ? ` ${hint}` : ''}`)
    for (const line of log) progress.say(`  | ${line}`)
  } finally {
    visit.turns?.leave()
  }
}

/** A step shorter than this says nothing. */
const leastSeconds = 5

function shorter(load: Load, share: number): Load {
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
