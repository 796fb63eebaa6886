import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { tellOf } from '../judge/tries.ts'
import { isStopped } from '../judge/verdict.ts'
import { executingOf } from '../chart/executing.ts'
import { limitsOf } from '../chart/limits.ts'
import { isInvalid } from '../lib/errors.ts'
import { endure } from '../fault/endure.ts'
import { peakOf } from '../load/course.ts'
import type { RemoteWrite } from '../load/k6.ts'
import { patchesOf } from './patches.ts'
import { inWords, untoldInWords } from '../report/fault-words.ts'
import { disturbancesOf, nameOf, type Fault } from '../fault/faults.ts'
import { isSoak } from '../model/operating.ts'
import { refuseFullDisk } from '../lib/disk.ts'
import type { Target } from '../targets/target.ts'
import { importableCredentials } from '../workload/credentials.ts'
import type { Barrier } from './barrier.ts'
import { callsOf } from './calls.ts'
import type { Cell } from './cells.ts'
import { driveLoad } from './drive-load.ts'
import { explainStep, loadToExplain } from './explain.ts'
import { holdRate, type HoldOrder } from './hold.ts'
import { onceMore } from './once-more.ts'
import type { RunOrder } from './order.ts'
import type { OwnUse } from './own-use.ts'
import { workedOff } from './quiet.ts'
import { measureStep, type Measure, type Watched } from './step.ts'
import { watchCell } from './watch-cell.ts'
import type { HeldStep, PlannedStep, Step } from '../model/step.ts'
import { arrivalsOf } from '../model/load.ts'
import type { TargetEvent } from '../model/event.ts'

interface CellOrder extends RunOrder {
  logs: string
  /** The folder for this cell's profiles. */
  profiles: string
  /** Receives what is measured, to compute its cost. */
  ownUse: OwnUse
  /** The meeting point with the cells that are measured side by side. */
  barrier?: Barrier
  /** In place of the experiment's load. */
  hold?: HoldOrder
}

/** Brings one cell up, drives its load and takes it down. */
export async function measureCell(cell: Cell, repeat: number, target: Target, order: CellOrder): Promise<void> {
  const { experiment, recorder, progress, signal } = order
  const label = `${cell.traffic.name} on ${cell.variant}${describeMatrix(cell)}`
  recorder.add({
    type: 'cell',
    at: Date.now(),
    cell: cell.number,
    variant: cell.variant,
    workflow: cell.traffic.name,
    matrix: cell.matrix,
    values: cell.values,
    limits: limitsOf(cell.plan),
    cost: cell.cost,
    tier: cell.plan.tier,
  })
  const explains = order.explain === true && repeat === 1
  let expected = false
  const exits: TargetEvent[] = []
  const warn = (text: string) => recorder.add({ type: 'warning', at: Date.now(), text: `${label}: ${text}` })
  // Under a fault, a store may well be away.
  const onUnseen = (text: string) => void (expected || warn(text))
  progress.doing(`${label}: starting`)
  const running = await target.up(cell.plan, {
    workflows: cell.traffic.parts.map(({ workflow }) => workflow),
    credentials: order.credentials && importableCredentials(order.credentials),
    profiled: explains || isSoak(longestOf(order)),
    disturbances: disturbancesOf(order.faults ?? []),
    logs: order.logs,
    signal,
    onProgress: progress.doing,
    onUnseen,
    onEvent(event) {
      // A process that dies under a profile, or from a fault, is no finding.
      if (expected) return
      recorder.add({ type: 'event', cell: cell.number, ...event })
      if (event.exit && event.exit.reason !== 'stopped') exits.push(event)
    },
  })
  const patched = cell.plan.tier?.patches.length ? await patchesOf(running.processes) : []
  for (const told of patched) recorder.add({ type: 'patches', at: Date.now(), cell: cell.number, ...told })
  const { sampled, counter, stop } = watchCell(running, {
    onLook: (record) => recorder.add({ ...record, cell: cell.number }),
    onUnseen,
    signal,
    fail: order.fail,
  })
  const watched: Watched = {
    running,
    target,
    counter,
    sampled,
    exits,
    executing: executingOf(cell.plan),
    slo: experiment.slo,
    untuned: cell.plan.tier?.name === 'n8n-defaults',
    nested: cell.traffic.parts.some(({ workflow }) => workflow.imports.length > 1),
    remoteWrite: remoteWriteOf(order, cell),
    barrier: order.barrier,
    signal,
  }
  const calls = { ...callsOf(cell.traffic, running), timeout: experiment.load.timeout }
  const driven: { shape: PlannedStep['shape']; step: Step }[] = []
  const measure: Measure = async (shape, duration, rest) => {
    if (rest.purpose === 'measure')
      await workedOff(watched, (left) => progress.doing(`${label}: n8n works off ${left} executions`))
    progress.doing(`${label}: ${rest.purpose === 'warm-up' ? 'warming up' : describeShape(shape)}`)
    // On equal schedules, the requests of two cells would either always meet or never meet, by chance.
    const seed = randomInt(2 ** 31)
    const load: PlannedStep = {
      ...calls,
      duration,
      shape,
      ...arrivalsOf(experiment.load),
      seed,
    }
    const drive = () => onceMore(() => measureStep({ load, repeat, ...rest }, watched), warn)
    const { disagreements, ...step } = await (rest.purpose === 'measure' ? order.ownUse.during(drive) : drive())
    for (const text of disagreements)
      recorder.add({ type: 'warning', at: Date.now(), text: `${label}, ${describeShape(shape)}: ${text}` })
    // What n8n fails at on a full disk says nothing about n8n.
    if (!step.holds) refuseFullDisk(target.folder)
    const stopped = isStopped(step)
    // The step of a hold is recorded as held.
    const ends = stopped && !(order.hold && rest.purpose === 'measure')
    if (!order.hold || ends) recorder.add({ type: 'step', cell: cell.number, at: Date.now(), ...step })
    driven.push({ shape, step })
    if (rest.purpose === 'measure' || stopped) progress.say(`  ${label}: ${outcome(step)}`)
    if (ends) throw new LoadStopped()
    return step
  }
  const keep = (held: HeldStep) => recorder.add({ type: 'held', cell: cell.number, at: Date.now(), ...held })
  const explain = async (shape: PlannedStep['shape']) => {
    progress.doing(`${label}: explaining ${describeShape(shape)}`)
    expected = true
    try {
      const explained = await explainStep({
        load: { ...calls, shape },
        processes: running.processes,
        folder: order.profiles,
        drive: { generator: target.generator, p95: experiment.slo.p95, signal },
      })
      recorder.add({ type: 'explained', cell: cell.number, at: Date.now(), ...explained })
    } catch (error) {
      signal.throwIfAborted()
      recorder.add({
        type: 'warning',
        at: Date.now(),
        text: `${label} could not be explained: ${(error as Error).message}.`,
      })
    } finally {
      expected = false
    }
  }
  const injectFault = async (fault: Fault) => {
    try {
      const rate = rateOf(driven.at(-1)!.shape)
      const onProgress = (line: string) => progress.doing(`${label}: ${line}`)
      const endured = await endure({ fault, load: calls, rate, running, target, signal, onProgress })
      recorder.add({ type: 'fault', cell: cell.number, at: Date.now(), ...endured })
      progress.say(`  ${label}, ${inWords(endured)}`)
    } catch (error) {
      signal.throwIfAborted()
      if (!isInvalid(error)) throw error
      const untold = { fault: nameOf(fault), message: [error.message, error.hint].filter(Boolean).join(' ') }
      recorder.add({ type: 'fault-untold', cell: cell.number, at: Date.now(), ...untold })
      progress.say(`  ${label}, ${untoldInWords(untold)}`)
    }
  }
  try {
    if (order.barrier) await rested(order.barrier, signal)
    try {
      const { foreign } = target
      if (order.hold) await holdRate(order.hold, { measure, foreign, size: counter.size, keep })
      else await driveLoad(experiment.load, measure, foreign)
    } catch (error) {
      if (!(error instanceof LoadStopped)) throw error
    }
    const shape = explains ? loadToExplain(driven) : null
    if (shape) await explain(shape)
    for (const fault of order.faults ?? []) {
      expected = true
      await injectFault(fault)
      // The next one begins with an intact n8n.
      await running.ready(signal)
      expected = false
    }
  } finally {
    try {
      await stop()
      const outside = await running.outside?.().catch(() => null)
      if (outside) recorder.add({ type: 'outside', at: Date.now(), cell: cell.number, ...outside })
    } finally {
      await running.down()
    }
  }
}

/** The load has ended by itself, and nothing more is sent: what was measured says why. */
class LoadStopped extends Error {}

/** Seconds of the longest step. Those of a search are short. */
const longestOf = ({ hold, experiment: { load } }: CellOrder): number =>
  hold?.for ?? ('duration' in load ? load.duration : 0)

/** n8n frees memory from its start in its first idle seconds. */
const rest = 5000

/**
 * All cells rest after they have met: the first ones idled while they waited, and an n8n without a rest holds a third
 * more memory.
 */
async function rested(barrier: Barrier, signal: AbortSignal): Promise<void> {
  await barrier.waitForOthers()
  await setTimeout(rest, undefined, { signal })
}

function remoteWriteOf({ id, remoteWrite }: CellOrder, { variant, traffic }: Cell): RemoteWrite | undefined {
  return remoteWrite === undefined
    ? undefined
    : { url: remoteWrite, labels: { testid: id, variant, workflow: traffic.name } }
}

function describeMatrix({ matrix }: Cell): string {
  const parts = Object.entries(matrix).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return parts.length ? ` (${parts.join(', ')})` : ''
}

/** Faults run under a steady load. */
const rateOf = (shape: PlannedStep['shape']) => (shape.kind === 'constant' ? shape.rate : 1)

function describeShape(shape: PlannedStep['shape']): string {
  if (shape.kind === 'closed') return `${shape.vus} clients`
  return shape.kind === 'constant' ? `${shape.rate}/s` : `up to ${peakOf(shape)}/s`
}

function outcome({ load, holds, reasons, lateness }: Step): string {
  const p95 = load.latency ? `p95 ${Math.round(load.latency.p95)} ms` : 'no answers'
  const asked = load.rate === null ? `${load.vus} clients, ${load.throughput.toFixed(1)}/s` : `${load.rate}/s`
  const sure = lateness && !tellOf([{ holds, reasons, lateness }]).sure ? ' (unsure: too few answers)' : ''
  return `${asked} ${holds ? 'holds' : 'does not hold'}${sure}, ${p95}${holds ? '' : `: ${reasons[0]!.text}`}`
}
