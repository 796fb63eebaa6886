import { limitsOf } from './chart/limits.ts'
import type { ReasonCode, Step } from './analyse/summary.ts'
import type { LoadStep } from './load/step.ts'
import type { Sample } from './observe/sample.ts'
import { openBooks } from './observe/books/books.ts'
import { openCounter } from './observe/counter.ts'
import { openQueue } from './observe/queue.ts'
import { startSampler } from './observe/sampler.ts'
import type { Experiment } from './profile/experiment.ts'
import type { Cell, RunOrder } from './run.ts'
import { measureStep, type StepOrder, type Watched } from './run-step.ts'
import { nextRate, type Trial } from './search/next-rate.ts'
import type { Target, TargetEvent } from './target/target.ts'

interface CellOrder extends RunOrder {
  logs: string
}

/** Clients of the warm-up: enough to fill one n8n, few enough not to hide it behind a queue. */
const warmUpClients = 8
const warmUpSeconds = 5
/** V8 compiles what runs often, and n8n's throughput nearly doubles within its first half minute under load. */
const warmUps = { most: 8, steady: 0.05, rounds: 2 }
/** A closed loop overstates what an open one carries at a good latency. */
const guess = 0.9

/** Brings one cell up, drives its load and takes it down. */
export async function measureCell(cell: Cell, repeat: number, target: Target, order: CellOrder): Promise<void> {
  const { experiment, recorder, progress, signal } = order
  const label = `${cell.workflow.name} on ${cell.variant}${describeMatrix(cell)}`
  recorder.add({ type: 'cell', at: Date.now(), cell: cell.number, variant: cell.variant, workflow: cell.workflow.name, matrix: cell.matrix, values: cell.values, limits: limitsOf(cell.plan) })
  const exits: TargetEvent[] = []
  const samples: Sample[] = []
  progress.doing(`${label}: starting`)
  const running = await target.up(cell.plan, {
    workflows: [cell.workflow],
    balancer: cell.balancer,
    logs: order.logs,
    signal,
    onProgress: progress.doing,
    onEvent(event) {
      recorder.add({ type: 'event', cell: cell.number, ...event })
      if (event.exit && event.exit.reason !== 'stopped') exits.push(event)
    },
  })
  const sampler = startSampler(running.processes, (sample) => {
    samples.push(sample)
    recorder.add({ type: 'sample', cell: cell.number, ...sample })
  })
  const counter = await openCounter(sampler, running.settings && openBooks(running.settings), running.settings && openQueue(running.settings))
  const watched: Watched = { running, target, counter, samples, exits, slo: experiment.slo, signal }
  const measure = async (shape: LoadStep['shape'], duration: number, rest: Pick<StepOrder, 'purpose' | 'endOnExit'>) => {
    progress.doing(`${label}: ${rest.purpose === 'warm-up' ? 'warming up' : describeShape(shape)}`)
    const { method, path } = cell.workflow.webhook
    const load: LoadStep = { url: running.url + path, method, timeout: experiment.load.timeout, duration, shape }
    const { disagreements, ...step } = await measureStep({ load, repeat, ...rest }, watched)
    for (const text of disagreements) recorder.add({ type: 'warning', at: Date.now(), text: `${label}, ${describeShape(shape)}: ${text}` })
    recorder.add({ type: 'step', cell: cell.number, at: Date.now(), ...step })
    if (rest.purpose === 'measure') progress.say(`  ${label}: ${outcome(step)}`)
    return step
  }
  try {
    await driveLoad(experiment.load, measure)
  } finally {
    sampler.stop()
    await counter.close()
    await running.down()
  }
}

type Measure = (shape: LoadStep['shape'], duration: number, rest: Pick<StepOrder, 'purpose' | 'endOnExit'>) => Promise<Step>

async function driveLoad(load: Experiment['load'], measure: Measure): Promise<void> {
  if (load.shape === 'closed') {
    await measure({ kind: 'closed', vus: load.vus }, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  const reached = await warmUp(measure)
  if (load.shape === 'constant') {
    await measure({ kind: 'constant', rate: load.rate }, load.duration, { purpose: 'measure', endOnExit: false })
    return
  }
  const tried: Trial[] = []
  const options = { ...load, start: guess * reached }
  for (let rate = nextRate(tried, options); rate !== null; rate = nextRate(tried, options)) {
    const { holds } = await measure({ kind: 'constant', rate }, load.step, { purpose: 'measure', endOnExit: true })
    tried.push({ rate, holds })
  }
}

/** Until the throughput has grown no more for some rounds, or n8n dies of it; returns the best throughput. */
async function warmUp(measure: Measure): Promise<number> {
  let reached = 0
  let steady = 0
  for (let round = 0; round < warmUps.most && steady < warmUps.rounds; round++) {
    const { load, reasons } = await measure({ kind: 'closed', vus: warmUpClients }, warmUpSeconds, { purpose: 'warm-up', endOnExit: true })
    steady = load.throughput > reached * (1 + warmUps.steady) ? 0 : steady + 1
    reached = Math.max(reached, load.throughput)
    if (reasons.some(({ code }) => deaths.has(code))) break
  }
  return reached
}

const deaths = new Set<ReasonCode>(['oom-killed', 'heap-exhausted', 'crashed'])

function describeMatrix({ matrix }: Cell): string {
  const parts = Object.entries(matrix).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return parts.length ? ` (${parts.join(', ')})` : ''
}

const describeShape = (shape: LoadStep['shape']) => (shape.kind === 'closed' ? `${shape.vus} clients` : `${shape.rate}/s`)

function outcome({ load, holds, reasons }: Step): string {
  const p95 = load.latency ? `p95 ${Math.round(load.latency.p95)} ms` : 'no answers'
  const asked = load.rate === null ? `${load.vus} clients, ${load.throughput.toFixed(1)}/s` : `${load.rate}/s`
  return `${asked} ${holds ? 'holds' : 'does not hold'}, ${p95}${holds ? '' : `: ${reasons[0]!.text}`}`
}
