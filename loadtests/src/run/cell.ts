import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { finishedIn, looksOf } from '../judge/estimate/demand.ts'
import { capacityWhenFull } from '../judge/estimate/estimate.ts'
import { isStopped } from '../judge/verdict.ts'
import { executingOf, leastCores, limitsByProcess } from '../chart/executing.ts'
import { invalid, isInvalid } from '../lib/errors.ts'
import { reasonOf } from '../lib/await.ts'
import { refuseFullDisk } from '../lib/disk.ts'
import { perSecond } from '../lib/figures.ts'
import { fileName } from '../lib/names.ts'
import { measureFault } from '../fault/measure-fault.ts'
import { processFaultsOf, faultName, type Fault } from '../fault/faults.ts'
import { isSoak } from '../model/operating.ts'
import { bridgeInWords } from '../report/bridge-words.ts'
import { faultInWords, missingInWords } from '../report/fault-words.ts'
import { progressWords, shapeInWords } from '../report/progress-words.ts'
import { warningInWords } from '../report/warnings.ts'
import type { Running } from '../n8n/running.ts'
import { driveWhole } from '../load/k6.ts'
import { withBridges, type Workflow } from '../workload/open.ts'
import { importableCredentials } from '../n8n/credentials.ts'
import { watchBacklog } from './backlog.ts'
import { begunBy, beginsAlone, hasCode, missingOf, type Traffic } from './traffic.ts'
import type { Cell } from './cells.ts'
import type { Run } from './context.ts'
import { driveForeign, isMiss } from './drive-foreign.ts'
import { driveLoad, drivePaired, type Clients } from './drive-load.ts'
import { driveSlices } from './slices.ts'
import type { Turns } from './turns.ts'
import { openEditors, type Editors } from './editors.ts'
import { openSchedules, type OpenSchedules } from './schedules.ts'
import { explainStep, loadToExplain } from './explain.ts'
import { seedHistory } from './history.ts'
import { holdRate, type HoldOrder } from './hold.ts'
import { patchesOf } from './patches.ts'
import { firstRuns } from './mend.ts'
import { bridgesIn, realismOf, refuseObjective, type FirstAnswer } from './rehearse.ts'
import { workedOff } from './quiet.ts'
import { measureStep, type Measure, type WatchedCell } from './step.ts'
import { watchCell } from './watch-cell.ts'
import type { HeldStep, PlannedPart, PlannedStep, Step } from '../model/step.ts'
import { arrivalsOf, type Load } from '../model/load.ts'
import type { TargetEvent } from '../model/event.ts'
import type { RunRecord } from '../model/record.ts'
import type { Realism } from '../model/result.ts'
import type { FoundWarning } from '../model/warning.ts'

/** One look at a cell: which of the repeats, under which load. */
export interface CellVisit {
  repeat: number
  load: Load
  /** In place of the load: holds a rate for minutes. */
  hold?: HoldOrder
  /** Its place among the cells that are up at the same time, and loaded in turns. */
  turns?: Turns & { goesOn(turn: number): boolean; count: number; clients: Clients }
}

/** A cell that is up, with what watches it. */
interface Standing extends WatchedCell {
  run: Run
  cell: Cell
  visit: CellVisit
  /** As the user knows it. */
  label: string
  /** The requests, and where they go. */
  calls: Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables' | 'timeout'>
  /** What was driven so far. */
  driven: { shape: PlannedStep['shape']; step: Step }[]
  /** The text in its requests' headers, by which n8n's executions of this run are known. */
  mark: string
  /** The number of its turn, among several. */
  turn?: number
  /** Looks at it once a second, or hardly ever: those that wait for their turn take no CPU from the one that has it. */
  awake(isAwake: boolean): Promise<void>
}

/** Brings one cell up, drives its load and takes it down. */
export async function measureCell(run: Run, cell: Cell, visit: CellVisit): Promise<void> {
  const { record, progress, signal, options, target } = run
  const label = `${cell.traffic.name} on ${cell.variant}${describeMatrix(cell)}`
  record.add({
    type: 'cell',
    at: Date.now(),
    cell: cell.number,
    variant: cell.variant,
    workflow: cell.traffic.name,
    matrix: cell.matrix,
    values: cell.values,
    limits: limitsByProcess(cell.plan),
    cost: cell.cost,
    tier: cell.plan.tier,
  })
  const explains = options.explain === true && visit.repeat === 1
  const exits: TargetEvent[] = []
  // Under a fault, or under a profile, a store may well be away, and a process that dies is no finding.
  const expecting = { fault: false }
  const onUnseen = (warning: FoundWarning) => void (expecting.fault || warn(run, label, warning))
  const answers: FirstAnswer[] = []
  // What stood in for a node does so to the end of the run.
  const own = cell.traffic.parts.map(({ workflow }) => withBridges(workflow, bridgesIn(record.records, workflow.name)))
  progress.doing(progressWords.starts(label))
  const running = await target.up(cell.plan, {
    workflows: own,
    credentials: options.credentials && importableCredentials(options.credentials),
    profiled: explains || isSoak(longestOf(visit)),
    processFaults: processFaultsOf(options.faults ?? []),
    logs: folderOf(run, 'logs', cell, visit),
    signal,
    onProgress: progress.doing,
    onUnseen,
    onAnswer: ({ id }, answer) => void (expecting.fault || answers.push({ id, ...answer })),
    onEvent(event) {
      if (expecting.fault) return
      record.add({ type: 'event', cell: cell.number, ...event })
      if (event.exit && event.exit.reason !== 'stopped') exits.push(event)
    },
  })
  let editors: Editors | undefined
  let schedules: OpenSchedules | undefined
  const looksAtFirst = visit.repeat === 1 && !visit.hold
  try {
    const realism = looksAtFirst ? await rehearse(run, own, running, answers) : []
    if (realism.length) record.add({ type: 'rehearsed', at: Date.now(), cell: cell.number, workflows: realism })
    refuseObjective(realism, run.experiment.slo.p95)
    await seed(run, cell, label, running)
    const open = run.experiment.editors
    if (open) editors = await openEditors(running.mainUrl ?? running.url, open, signal, run.fail)
    schedules = schedulesOf(cell, running, signal)
  } catch (error) {
    await running.down()
    throw error
  }
  const patched = cell.plan.tier?.patches.length ? await patchesOf(running.processes) : []
  for (const told of patched) record.add({ type: 'patches', at: Date.now(), cell: cell.number, ...told })
  for (const missing of missingOf(cell.traffic, running.settings))
    progress.say(`! ${warningInWords(warn(run, label, missing))}`)
  const begun = begunBy(cell.traffic, running.settings, `ntr-${randomBytes(6).toString('hex')}`)
  const { sampled, counter, awake, stop } = watchCell(running, {
    load: begun,
    onLook: (look) => record.add({ ...look, cell: cell.number }),
    onUnseen,
    signal,
    fail: run.fail,
  })
  const standing: Standing = {
    run,
    cell,
    visit,
    label,
    calls: { ...callsOf(cell.traffic, running), timeout: visit.load.timeout },
    driven: [],
    running,
    target,
    counter,
    sampled,
    ...(target.foreign && { backlog: watchBacklog(running.processes, sampled.samples) }),
    exits,
    executing: executingOf(cell.plan),
    hasCode: hasCode(cell.traffic),
    slo: run.experiment.slo,
    untuned: cell.plan.tier?.name === 'n8n-defaults',
    ...begun,
    alone: !target.foreign && beginsAlone(cell.traffic),
    ...(options.remoteWrite !== undefined && {
      remoteWrite: {
        url: options.remoteWrite,
        labels: { testid: options.id, variant: cell.variant, workflow: cell.traffic.name },
      },
    }),
    ...(editors && { editors }),
    ...(schedules && { schedules }),
    awake,
    signal,
  }
  try {
    await driveAll(standing)
    expecting.fault = true
    if (explains) await explain(standing)
    for (const fault of options.faults ?? []) {
      await recordFault(standing, fault)
      // The next one begins with an intact n8n.
      await running.ready(signal)
    }
  } finally {
    expecting.fault = false
    try {
      await editors?.awake(false)
      await schedules?.close()
      await stop()
      const outside = await running
        .outside?.()
        .catch((error) => void warn(run, label, { code: 'outside-unknown', reason: reasonOf(error) }))
      if (outside) record.add({ type: 'outside', at: Date.now(), cell: cell.number, ...outside })
    } finally {
      await running.down()
    }
  }
}

/** What n8n begins by the clock beside the load, where that is asked for. */
function schedulesOf({ traffic }: Cell, { settings }: Running, signal: AbortSignal): OpenSchedules | undefined {
  const scheduled = traffic.parts.flatMap(({ workflow }) => workflow.beside ?? [])
  if (scheduled.length === 0) return undefined
  if (settings === null)
    throw invalid(
      'schedules-unseen',
      'Expected --copies with a database that the lab can reach, since it alone says which runs began.',
      'Set database.type: embedded or sqlite, or leave --copies out.',
    )
  return openSchedules({ settings, scheduled, called: traffic.parts.map(({ workflow }) => workflow.id), signal })
}

/** Before the load, what a production's database holds, where that is asked for. */
async function seed(run: Run, { number, traffic }: Cell, label: string, running: Running): Promise<void> {
  const { experiment, target, record, progress, signal } = run
  const executions = experiment.history
  if (executions === undefined) return
  let told = ''
  const history = await seedHistory(running, {
    executions,
    workflows: traffic.parts.map(({ workflow }) => workflow.id),
    folder: target.folder,
    signal,
    onProgress(seeded) {
      const line = progressWords.seedsHistory(label, seeded, executions)
      if (line !== told) progress.doing((told = line))
    },
  })
  record.add({ type: 'history', cell: number, at: Date.now(), ...history })
  progress.say(progressWords.hasHistory(label, history))
}

/** Looks at the executions of the first requests, before any load. */
async function rehearse(
  { progress, signal, options }: Run,
  workflows: Workflow[],
  running: Running,
  answers: FirstAnswer[],
): Promise<Realism[]> {
  const asked = workflows.filter(({ id, made }) => made !== undefined || answers.some((answer) => answer.id === id))
  if (asked.length === 0) return []
  progress.doing(progressWords.executesFirst)
  const runs = await firstRuns(asked, running, answers, {
    signal,
    strict: options.strict,
    onTry: (tried, number) => progress.doing(progressWords.triesAgain(tried, number)),
  })
  for (const { workflow, bridges } of runs)
    for (const bridge of bridges) progress.say(`! ${workflow.name}: ${bridgeInWords(bridge)}`)
  return realismOf(runs, running.settings !== null, () => running.outside?.() ?? null)
}

/** The whole load of the visit, from the warm-up on. */
async function driveAll(standing: Standing): Promise<void> {
  const { visit, cell, run, target, counter, sampled } = standing
  if (target.foreign && !visit.hold && hasMissed(run.record.records, cell.number)) return
  await takeTurn(standing)
  const measure: Measure = (shape, seconds, rest) => takeStep(standing, shape, seconds, rest)
  const warming = { samples: sampled.samples, cores: leastCores(cell.plan), workOff: () => workOff(standing) }
  const known = { ...warming, slo: run.experiment.slo }
  const keep = (held: HeldStep) => run.record.add({ type: 'held', cell: cell.number, at: Date.now(), ...held })
  try {
    const { hold, load, turns } = visit
    const foreign = target.foreign && known.slo
    if (hold) {
      await holdRate(hold, { measure, warming, foreign, size: counter.size, keep })
    } else if (foreign) await driveForeign(load, measure, foreign)
    else if (!turns) await driveLoad(load, measure, known)
    else if (load.shape === 'search')
      await drivePaired(load, measure, { ...known, alone: turns.count === 1, clients: turns.clients })
    else await driveSlices(load, measure, warming, async () => turns.goesOn(await takeTurn(standing)))
  } catch (error) {
    if (!(error instanceof LoadStopped)) throw error
  }
}

/**
 * Waits for its next turn, where several n8n are up, and returns the number of it. The one after it begins once this
 * n8n has worked off what is under way, which would take CPU from the other.
 */
async function takeTurn(standing: Standing): Promise<number> {
  const { visit, label, run, awake } = standing
  if (!visit.turns) return 0
  await workOff(standing)
  if (run.cells.length > 1) run.progress.doing(progressWords.awaitsTurn(label))
  await Promise.all([awake(false), standing.editors?.awake(false)])
  standing.turn = await visit.turns.take()
  run.signal.throwIfAborted()
  await awake(true)
  return standing.turn
}

async function workOff(standing: Standing): Promise<number> {
  await workedOff(standing, (left) => standing.run.progress.doing(progressWords.worksOff(standing.label, left)))
  return Date.now()
}

/** One that its owner shares is not asked again for what it could not sustain. */
const hasMissed = (records: RunRecord[], cell: number) =>
  records.some((record) => record.type === 'step' && record.cell === cell && isMiss(record))

/** The load has ended by itself, and nothing more is sent: what was measured says why. */
class LoadStopped extends Error {}

/** One step, told to the user and written down. */
async function takeStep(standing: Standing, ...[shape, duration, rest]: Parameters<Measure>): Promise<Step> {
  const { run, cell, visit, label, calls, driven, mark } = standing
  const { record, progress, target } = run
  const isMeasured = rest.purpose === 'measure'
  const isCounted = rest.purpose !== 'warm-up'
  // In a search, each step is a turn.
  if (isCounted && visit.load.shape === 'search') await takeTurn(standing)
  if (isCounted) await workOff(standing)
  if (isCounted) await awaitSchedules(standing)
  await openTheEditors(standing, shape, isCounted)
  progress.doing(isCounted ? progressWords.drives(label, shape) : progressWords.warmsUp(label))
  // On equal schedules, the requests of two cells would either always meet or never meet, by chance.
  const seed = randomInt(2 ** 31)
  const load: PlannedStep = { ...calls, duration, shape, ...arrivalsOf(visit.load), seed, mark }
  const order = { load, repeat: visit.repeat, turn: standing.turn, ...rest }
  const drive = () => measureAgainIfLost(() => measureStep(order, standing), standing)
  const { disagreements, ...step } = await (isCounted ? run.ownUse.during(drive) : drive())
  for (const one of disagreements) warn(run, `${label}, ${shapeInWords(shape)}`, one)
  // What n8n fails at on a full disk says nothing about n8n.
  if (!step.holds) refuseFullDisk(target.folder)
  const stopped = isStopped(step)
  // The step of a hold is recorded as held.
  const ends = stopped && !(visit.hold && isMeasured)
  if (!visit.hold || ends) record.add({ type: 'step', cell: cell.number, at: Date.now(), ...step })
  driven.push({ shape, step })
  if (driven.filter((one) => one.step.purpose === 'full').length === firstTold && rest.purpose === 'full')
    tellFirst(standing, step)
  if (ends) throw new LoadStopped()
  return step
}

/** Before the first step that counts, n8n has begun all of them once: until then, missing ones are not missed. */
async function awaitSchedules({ run, cell, label, schedules, driven }: Standing): Promise<void> {
  if (!schedules || driven.some(({ step }) => step.purpose !== 'warm-up')) return
  const all = cell.traffic.parts.flatMap(({ workflow }) => workflow.beside ?? []).length
  const begun = await schedules.begun((some) => run.progress.doing(progressWords.awaitsSchedules(label, some, all)))
  if (begun === 0)
    throw invalid(
      'schedules-not-begun',
      `Expected n8n to begin ${all} scheduled workflows within some minutes, and it began none.`,
      'Take n8n 2, and look into its log in the folder of the run.',
    )
  if (begun < all) run.progress.say(`! ${progressWords.schedulesNotBegun(label, begun, all)}`)
}

/** Seconds, if the load of a step lasts as long; beside schedules a whole minute, so that they are due in it once. */
const withoutEditors = { alone: 30, besideSchedules: 60 }

/**
 * Editors are open while anything is measured, and not while n8n warms up. Of one rate, callers are looked at without
 * them first, once: what editors cost is the difference.
 */
async function openTheEditors(
  { run, cell, label, calls, visit, editors, schedules, driven }: Standing,
  shape: PlannedStep['shape'],
  isCounted: boolean,
): Promise<void> {
  if (!editors) return
  const isFirst = driven.every(({ step }) => step.purpose === 'warm-up')
  const { record, progress, target, signal, experiment } = run
  if (isCounted && shape.kind === 'constant' && visit.load.shape !== 'search' && isFirst) {
    await editors.awake(false)
    progress.doing(progressWords.withoutEditors(label, shape))
    const duration = schedules ? withoutEditors.besideSchedules : withoutEditors.alone
    const load = { ...calls, duration, shape, ...arrivalsOf(visit.load), seed: randomInt(2 ** 31) }
    const drive = { generator: target.generator, p95: experiment.slo.p95, signal }
    const { latency, startedAt, endedAt } = await driveWhole(load, drive)
    record.add({
      type: 'without-editors',
      cell: cell.number,
      at: Date.now(),
      p95: latency?.p95 ?? null,
      startedAt,
      endedAt,
    })
  }
  await editors.awake(isCounted)
}

/** Turns at full load after which a first figure is told. */
const firstTold = 3

function tellFirst({ run, label, sampled }: Standing, step: Step): void {
  const full = finishedIn(step, looksOf(sampled.samples))
  if (full > 0)
    run.progress.say(progressWords.first(label, perSecond(full), perSecond(capacityWhenFull(full, run.experiment.slo))))
}

/** A generator that something else has ended gets a second try, which n8n has no part in. */
async function measureAgainIfLost<Result>(drive: () => Promise<Result>, { run, label }: Standing): Promise<Result> {
  try {
    return await drive()
  } catch (error) {
    if (!isInvalid(error) || error.code !== 'generator-lost') throw error
    warn(run, label, { code: 'driven-again', reason: error.message })
    return drive()
  }
}

async function explain({ run, cell, visit, label, calls, driven, running }: Standing): Promise<void> {
  const { record, progress, signal, target, experiment } = run
  const shape = loadToExplain(driven)
  if (!shape) return
  progress.doing(progressWords.explains(label, shape))
  try {
    const explained = await explainStep({
      load: { ...calls, shape },
      processes: running.processes,
      folder: folderOf(run, 'profiles', cell, visit),
      drive: { generator: target.generator, p95: experiment.slo.p95, signal },
    })
    record.add({ type: 'explained', cell: cell.number, at: Date.now(), ...explained })
  } catch (error) {
    signal.throwIfAborted()
    const warning = { code: 'not-explained', cell: label, reason: (error as Error).message } as const
    record.add({ type: 'warning', at: Date.now(), warning })
  }
}

async function recordFault(
  { run, cell, label, calls, called, driven, running }: Standing,
  fault: Fault,
): Promise<void> {
  const {
    record,
    progress,
    signal,
    target: { generator },
  } = run
  try {
    const rate = rateOf(driven.at(-1)!.shape)
    const onProgress = (line: string) => progress.doing(progressWords.underFault(label, line))
    const effects = await measureFault({ fault, load: calls, called, rate, running, generator, signal, onProgress })
    record.add({ type: 'fault', cell: cell.number, at: Date.now(), ...effects })
    progress.say(`  ${label}, ${faultInWords(effects)}`)
  } catch (error) {
    signal.throwIfAborted()
    if (!isInvalid(error)) throw error
    const missing = { fault: faultName(fault), message: [error.message, error.hint].filter(Boolean).join(' ') }
    record.add({ type: 'fault-untold', cell: cell.number, at: Date.now(), ...missing })
    progress.say(`  ${label}, ${missingInWords(missing)}`)
  }
}

/** What the generator calls: one workflow, or a mix of them. */
export function callsOf(
  { parts }: Traffic,
  { url, mainUrl = url }: Pick<Running, 'url' | 'mainUrl'>,
): Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'> {
  const tables = parts.flatMap(({ workflow }) => workflow.tables)
  let before = 0
  const all = parts.map(({ workflow: { name, id, webhook, ...workflow }, weight }): PlannedPart => {
    const requests = workflow.requests.map(({ path, table, onMain, ...request }) => ({
      ...request,
      url: (onMain ? mainUrl : url) + path,
      table: table === null ? null : before + table,
    }))
    before += workflow.tables.length
    const base = webhook.onMain ? mainUrl : url
    return { workflow: name, id, url: base + webhook.path.split('?')[0]!, method: webhook.method, requests, weight }
  })
  const [first] = all as [PlannedPart]
  return {
    url: first.url,
    method: first.method,
    tables,
    ...(all.length > 1 ? { mix: all } : { requests: first.requests }),
  }
}

function warn({ record }: Run, about: string, found: FoundWarning): FoundWarning {
  const warning = { ...found, about }
  record.add({ type: 'warning', at: Date.now(), warning })
  return warning
}

const folderOf = ({ record }: Run, kind: string, { variant, traffic, number }: Cell, { repeat }: CellVisit) =>
  join(record.dir, kind, fileName(`${variant}-${traffic.name}-${number}-${repeat}`))

/** Seconds of the longest step. Those of a search are short. */
const longestOf = ({ hold, load }: CellVisit): number => hold?.for ?? ('duration' in load ? load.duration : 0)

function describeMatrix({ matrix }: Cell): string {
  const parts = Object.entries(matrix).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return parts.length ? ` (${parts.join(', ')})` : ''
}

/** Faults run under a steady load. */
const rateOf = (shape: PlannedStep['shape']) => (shape.kind === 'constant' ? shape.rate : 1)
